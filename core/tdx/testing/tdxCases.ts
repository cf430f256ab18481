import type { Hex } from '../../bytes/index.js'
import { mintCollateral, mintTdxPki } from '../../simulation/testing/index.js'
import { mintQuote } from '../../simulation/index.js'
import { collateralRows } from './tdxCollateralRows.js'
import { quoteRows } from './tdxQuoteRows.js'
import { relaunchRows } from './tdxRelaunchRows.js'
import { caseTime, caseTimes, day, type Recipe, type TdxCase } from './tdxRecipe.js'

export { caseTime, type TdxCase } from './tdxRecipe.js'

const validity = { notBefore: caseTime - 300 * day, notAfter: caseTime + 300 * day }
const scalar = (digit: string): Hex => `0x${digit.repeat(64)}`
const keys = {
  root: scalar('1'),
  pckCa: scalar('2'),
  pck: scalar('3'),
  tcbSigner: scalar('4'),
  attestation: scalar('5'),
}

/** Every case, minted with fixed keys, so that a failure can be repeated. Minted once per process. */
export const createTdxCases = (): Promise<TdxCase[]> => (minted ??= mintCases())
let minted: Promise<TdxCase[]> | undefined

async function mintCases(): Promise<TdxCase[]> {
  const plainPki = await mintTdxPki(keys, validity)
  const plainCollateral = await mintCollateral(caseTimes, plainPki.authority)

  async function mintCase(name: string, expect: TdxCase['expect'], recipe: Recipe): Promise<TdxCase> {
    const { authority, quoteKeys } = recipe.pki ? await mintTdxPki(keys, validity, recipe.pki) : plainPki
    const isPlain = !recipe.pki && !recipe.collateral
    const whole: TdxCase = {
      name,
      expect,
      now: caseTime,
      root: authority.root,
      collateral: isPlain ? plainCollateral : await mintCollateral({ ...caseTimes, ...recipe.collateral }, authority),
      quote: mintQuote({ reportData: new Uint8Array(64).fill(0x5a), ...recipe.quote }, quoteKeys),
    }
    return { ...whole, ...recipe.spoil?.(whole) }
  }
  const rows = [...quoteRows, ...relaunchRows, ...collateralRows]
  return Promise.all(rows.map(([name, expect, recipe]) => mintCase(name, expect, recipe)))
}
