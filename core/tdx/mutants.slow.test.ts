import { expect, test } from 'vitest'
import { createRandom } from '../../tests/createRandom.js'
import { ServiceError } from '../errors/index.js'
import { createSnpCases } from '../snp/testing/snpCases.js'
import { verifySnpReport, type SnpEvidence } from '../snp/index.js'
import { mutate } from './testing/mutate.js'
import { createTdxCases } from './testing/tdxCases.js'
import { parseQuoteCollateral, verifyQuote, type QuoteCollateral } from './index.js'

const encode = (text: string) => new TextEncoder().encode(text)
const seed = 20261115

/** Runs one mutant. It counts as killed when it is refused with a code that is not our own failure. */
async function expectRefusal(
  tally: Map<string, number>,
  label: string,
  attempt: () => Promise<unknown>,
): Promise<void> {
  let outcome = 'ACCEPTED'
  try {
    await attempt()
  } catch (error) {
    outcome = error instanceof ServiceError ? error.code : `STRAY ${String(error)}`
  }
  if (outcome === 'ACCEPTED' || outcome === 'internal_error' || outcome.startsWith('STRAY')) {
    throw new Error(`mutant of ${label}: ${outcome}`)
  }
  tally.set(outcome, (tally.get(outcome) ?? 0) + 1)
}

const sum = (tally: Map<string, number>) => [...tally.values()].reduce((total, count) => total + count, 0)

test('refuses every one of 2,000 mutants of two quotes', async () => {
  const random = createRandom(seed)
  const tally = new Map<string, number>()
  for (const item of (await createTdxCases()).slice(0, 2)) {
    // Bytes that make the quote a padded one, or another spelling of the same PEM, are none of these changes.
    for (let i = 0; i < 1000; i++) {
      const quote = mutate(item.quote, random)
      if (isOnlyPadded(item.quote, quote)) continue
      await expectRefusal(tally, item.name, () => verifyQuote(quote, item.collateral, item.root, item.now))
    }
  }
  expect(sum(tally)).toBeGreaterThan(1990)
  expect(tally.size).toBeGreaterThanOrEqual(5) // the mutants reach several checks, not one only
})

test('refuses every one of 1,200 mutants of collateral and root', async () => {
  const random = createRandom(seed + 1)
  const tally = new Map<string, number>()
  const { quote, collateral, root, now } = (await createTdxCases())[0] as Awaited<ReturnType<typeof createTdxCases>>[0]
  const plain = parseQuoteCollateral(collateral)
  const members = (Object.keys(plain) as (keyof QuoteCollateral)[]).filter((name) => name !== 'pck_certificate_chain')
  for (let i = 0; i < 1000; i++) {
    const name = members[i % members.length] as keyof QuoteCollateral
    const mutant = mutateMember(plain, name)
    await expectRefusal(tally, name, () => verifyQuote(quote, mutant, root, now))
  }
  for (let i = 0; i < 200; i++) {
    await expectRefusal(tally, 'root', () => verifyQuote(quote, collateral, mutate(root, random), now))
  }
  expect(sum(tally)).toBe(1200)

  // Hex is mutated as bytes, because another spelling of the same bytes is no change; texts are mutated as they are.
  function mutateMember(value: QuoteCollateral, name: keyof QuoteCollateral): QuoteCollateral {
    const text = value[name] as string
    if (/^[0-9a-f]+$/.test(text)) return { ...value, [name]: [...mutate(Buffer.from(text, 'hex'), random)] }
    for (;;) {
      const changed = new TextDecoder().decode(mutate(encode(text), random))
      if (!name.endsWith('_chain') || withoutSpace(changed) !== withoutSpace(text)) return { ...value, [name]: changed }
    }
  }
})

test('refuses every one of 1,000 mutants of a report and its certificates', async () => {
  const random = createRandom(seed + 2)
  const tally = new Map<string, number>()
  const { evidence, options } = (await createSnpCases())[1] as Awaited<ReturnType<typeof createSnpCases>>[0]
  const names: (keyof SnpEvidence)[] = ['report', 'report', 'report', 'vek', 'intermediate', 'root']
  for (let i = 0; i < 1000; i++) {
    const name = names[i % names.length] as keyof SnpEvidence
    const mutant = { ...evidence, [name]: mutate(evidence[name], random) }
    await expectRefusal(tally, name, () => verifySnpReport(mutant, options))
  }
  expect(sum(tally)).toBe(1000)
})

function isOnlyPadded(before: Uint8Array, after: Uint8Array): boolean {
  return before.every((byte, i) => byte === after[i]) && after.subarray(before.length).every((byte) => byte === 0)
}

function withoutSpace(text: string): string {
  return text.replace(/[\s\0]/g, '')
}
