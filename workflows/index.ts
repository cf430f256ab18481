export { provisionWallet } from './provisionWallet.js'
export { publishReceipt } from './publishReceipt.js'
export { repairProofs } from './repairProofs.js'
export { signDigest } from './signDigest.js'
