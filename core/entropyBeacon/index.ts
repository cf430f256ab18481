export { parseBeaconBlock, verifyBeacon } from './verifyBeacon.js'
export { multihashOfName, verifyIpnsRecord } from './verifyIpnsRecord.js'
