export { parseBeaconBlock, type BeaconBlock } from './parseBeaconBlock.js'
export { verifyBeacon } from './verifyBeacon.js'
export { multihashOfName, verifyIpnsRecord, type IpnsFinding } from './verifyIpnsRecord.js'
