import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QuoteVerifier } from '@phala/dcap-qvl'
import { mintQuote, mintSnpReport } from '@perigee/core/simulation'
import { verifySnpReport } from '@perigee/core/snp'
import { verifyQuote } from '@perigee/core/tdx'
import { createSimulationPki, mintCollateral, mintTdxPki } from '../../dev/pki/index.js'
import type { Figure } from '../measure/Figure.js'
import { medianFigure, timeInRounds } from '../measure/timing.js'
import { counted } from '../measure/counted.js'

const day = 86_400
const phala = '@phala/dcap-qvl 0.3.9'

/**
 * Our verifier against `@phala/dcap-qvl` on the same quotes. Warm: new quotes of a platform whose collateral is cached,
 * as in a signing service. Cold: collateral and platform never seen before. The subjects take turns call by call, so that
 * a busy machine is equally busy for each. That is harder for ours: warm verification alone is twice as fast.
 */
export async function quoteVerification(): Promise<Figure[]> {
  const turns = { turns: counted(30), warmUp: 20 }
  const calls = 3 * turns.turns + turns.warmUp
  const now = Math.floor(Date.now() / 1000)
  const dir = await mkdtemp(join(tmpdir(), 'perigee-bench-'))
  try {
    const pki = await createSimulationPki(join(dir, 'pki'), now)
    const { root, collateral, quoteKeys } = pki.tdx
    const quotes = Array.from({ length: calls }, (_, i) => mintQuote({ reportData: reportData(i) }, quoteKeys))
    const strangers = await mintStrangers(calls, now)
    const theirs = QuoteVerifier.newWithRootCa(Buffer.from(root))
    const evidence = { vek: pki.snp.vek, intermediate: pki.snp.ask, root: pki.snp.ark }
    const reports = Array.from({ length: calls }, (_, i) =>
      mintSnpReport({ reportData: reportData(i) }, pki.snp.reportKeys),
    )
    const rounds = await timeInRounds(turns, {
      [phala]: (i) => theirs.verify(Buffer.from(quotes[i] as Uint8Array), collateral as never, now),
      'core verifyQuote, warm': (i) => verifyQuote(quotes[i] as Uint8Array, collateral, root, now),
      'core verifyQuote, cold': (i) => {
        const stranger = strangers[i] as (typeof strangers)[number]
        return verifyQuote(stranger.quote, stranger.collateral, stranger.root, now)
      },
    })
    // Not in turn with the others: it would only cool their caches.
    const snp = await timeInRounds(turns, {
      'core verifySnpReport, warm': (i) =>
        verifySnpReport({ ...evidence, report: reports[i] as Uint8Array }, { now, vmpl: 0 }),
    })
    return [
      medianFigure(rounds, phala),
      medianFigure(rounds, 'core verifyQuote, warm', { against: phala, atMost: 0.1 }),
      medianFigure(rounds, 'core verifyQuote, cold', { against: phala, atMost: 0.5 }),
      medianFigure(snp, 'core verifySnpReport, warm'),
    ]
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function reportData(index: number): Uint8Array {
  const bytes = new Uint8Array(64)
  new DataView(bytes.buffer).setUint32(0, index)
  return bytes
}

/** Platforms with keys, roots and collateral of their own. */
async function mintStrangers(count: number, now: number) {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const scalar = (part: number) => `0x${(1 + part + i * 8).toString(16).padStart(64, '0')}` as const
      const keys = { root: scalar(0), pckCa: scalar(1), pck: scalar(2), tcbSigner: scalar(3), attestation: scalar(4) }
      const pki = await mintTdxPki(keys, { notBefore: now - day, notAfter: now + 300 * day })
      const collateral = await mintCollateral({ issuedAt: now - day, nextUpdate: now + 29 * day }, pki.authority)
      return { root: pki.authority.root, collateral, quote: mintQuote({ reportData: reportData(i) }, pki.quoteKeys) }
    }),
  )
}
