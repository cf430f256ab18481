export { provisionWallet } from './provisionWallet.js'
export { publishReceipt } from './publishReceipt.js'
export { signDigest } from './signDigest.js'
export { sweepProofs } from './sweepProofs.js'
