export { checkWallet } from './checkWallet.js'
export { findContradictions } from './findContradictions.js'
export { nonceCoverage, rangesOf } from './nonceCoverage.js'
export type { CheckWalletOptions, Finding, WalletRow, WalletVerdict } from './types.js'
