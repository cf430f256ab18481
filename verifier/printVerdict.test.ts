import { expect, test } from 'vitest'
import { verifyReceipt } from '@perigee/core/receipt/verify'
import { mintReceipt } from '../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld } from '../core/receipt/testing/simulatedWorld.js'
import { printVerdict } from './printVerdict.js'

const { evidence, anchors } = mintReceipt(await createSimulatedWorld())

async function print(options: Partial<Parameters<typeof verifyReceipt>[1]>, changes: object = {}): Promise<string> {
  const verdict = await verifyReceipt({ ...evidence, ...changes }, { anchors, ...options })
  const trust = { source: 'a file', cid: 'bafy', simulated: true, selfMade: false }
  return printVerdict({ ...verdict, trust, notes: [], restsOnBundle: false, leftOut: [] }).join('\n')
}

test('--explain says in plain words which key service the enclave used, where the key was made and which list of builds applied', async () => {
  const text = await print({ explain: true })
  expect(text).toMatch(
    /^keeper  The enclave got its sealing key from the key service simulated 0x[0-9a-f]+, under app id 0x[0-9a-f]{40}\. List 1 names both for the build “simulated-enclave”\.$/m,
  )
  expect(text).toMatch(
    /^list    List 1 of builds, SHA-256 0x[0-9a-f]{64} \(bafkrei[a-z2-7]+\), was in force from block 1 on, announced by 0x(f1){20}\./m,
  )
  expect(text).toMatch(
    /^birth   The key was made in an enclave before it signed\. Its birth: bafkrei[a-z2-7]+ verifies/m,
  )
  expect(await print({})).not.toMatch(/^(keeper|birth|list)/m)
})

test('and does not say what was not shown', async () => {
  const text = await print({ explain: true, skip: ['release_list'] })
  expect(text).toMatch(/^list    not shown: the step release_list was skipped$/m)
  expect(text).toMatch(/^keeper  not shown: the step measurements failed \(step_not_run\)$/m)
})

test('both times are shown by their names, and a sentence when they are more than a day apart', async () => {
  const text = await print({})
  expect(text).toMatch(/^signedAt  1794700800 \(2026-11-15T00:00:00\.000Z\) by the enclave’s clock$/m)
  expect(text).toMatch(/^blockTime 1794700808 \(2026-11-15T00:00:08\.000Z\) by the chain$/m)
  expect(text).not.toContain('apart')
  const events = evidence.events.map((event) => ({ ...event, blockTimestamp: event.blockTimestamp + 3 * 86_400 }))
  expect(await print({ explain: true }, { events })).toMatch(/^note    .* 3 days apart[^]*^time    .* 3 days apart/m)
  expect(await print({ skip: ['onchain_event'] })).toMatch(/^blockTime none: without an event, nobody else saw/m)
})

test('steps that need one which the reader left out are not blamed on missing evidence', async () => {
  const text = await print({ skip: ['quote'] })
  expect(text).toMatch(
    /^NOT VERIFIED: 3 could not be checked, because you left out quote: report_data, measurements, birth\. Nothing was found/m,
  )
})
