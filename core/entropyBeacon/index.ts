export { parseBeaconBlock } from './parseBeaconBlock.js'
export { verifyBeacon } from './verifyBeacon.js'
export { multihashOfName, verifyIpnsRecord } from './verifyIpnsRecord.js'
