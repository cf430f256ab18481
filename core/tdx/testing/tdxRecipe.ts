import type { Hex } from '../../bytes/index.js'
import type { ErrorCode } from '../../errors/index.js'
import { tcbLevel, tdxModuleIdentity, type CollateralToMint, type TdxSpoil } from '../../simulation/testing/index.js'
import { simulatedPlatform, type QuoteToMint } from '../../simulation/index.js'
import type { QuoteCollateral } from '../collateral/parseQuoteCollateral.js'
import type { TcbStatus } from '../types.js'

/** A minted quote with everything it is verified by, and what must come of it. */
export interface TdxCase {
  name: string
  quote: Uint8Array
  collateral: QuoteCollateral
  root: Uint8Array
  now: number
  expect: { code: ErrorCode } | { tcbStatus: TcbStatus; advisoryIds: string[] }
}

export const day = 86_400
export const caseTime = 1_794_614_400
export const caseTimes = { issuedAt: caseTime - day, nextUpdate: caseTime + 29 * day }
export const strangerKey: Hex = `0x${'6'.repeat(64)}`

/** How a case differs from a valid one. */
export interface Recipe {
  pki?: TdxSpoil
  collateral?: Partial<CollateralToMint>
  quote?: Partial<QuoteToMint>
  /** Last touch, after everything was signed. */
  spoil?: (parts: TdxCase) => Partial<TdxCase>
}

export const fine = (tcbStatus: TcbStatus, ...advisoryIds: string[]) => ({ tcbStatus, advisoryIds })
export const flip = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))
export const flipHex = (hex: unknown, at: number) => {
  const text = hex as string
  return `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`
}
export const levels = (tcbStatus: string, advisoryIDs: string[] = []) => ({
  tcbLevels: [tcbLevel({}, { tcbStatus, advisoryIDs })],
})
export const moduleLevels = (...list: Parameters<typeof tdxModuleIdentity>[1][number][]) => ({
  tdxModuleIdentities: [tdxModuleIdentity('TDX_01', list)],
})
export const qeLevels = (tcbStatus: string, isvsvn: number = simulatedPlatform.qe.isvSvn) => ({
  tcbLevels: [{ tcb: { isvsvn }, tcbDate: '2024-11-13T00:00:00Z', tcbStatus }],
})
export const oldModule = [
  { isvsvn: 7, tcbStatus: 'UpToDate' },
  { isvsvn: 5, tcbStatus: 'OutOfDate', advisoryIDs: ['INTEL-SA-01099'] },
]

export type Row = [name: string, expect: TdxCase['expect'], recipe: Recipe]

/** Cases that are all refused with this code, by name. */
export const refused = (code: ErrorCode, recipes: Record<string, Recipe>): Row[] =>
  Object.entries(recipes).map(([name, recipe]) => [name, { code }, recipe])

/** Recipes that change one thing: before it is signed, or `spoilt` afterwards. */
export const withTcbInfo = (tcbInfo: CollateralToMint['tcbInfo'] & {}): Recipe => ({ collateral: { tcbInfo } })
export const withQeIdentity = (qeIdentity: CollateralToMint['qeIdentity'] & {}): Recipe => ({
  collateral: { qeIdentity },
})
export const spoiltQuote = (change: (quote: Uint8Array) => Uint8Array): Recipe => ({
  spoil: ({ quote }) => ({ quote: change(quote) }),
})
export const spoiltCollateral = (change: (good: QuoteCollateral) => Partial<QuoteCollateral>): Recipe => ({
  spoil: ({ collateral }) => ({ collateral: { ...collateral, ...change(collateral) } }),
})
