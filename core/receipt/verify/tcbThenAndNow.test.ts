import { expect, test } from 'vitest'
import { tdxSerials } from '../../simulation/testing/index.js'
import { mintReceipt } from '../testing/mintReceipt.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import { tcbThenAndNow } from './tcbThenAndNow.js'

const world = await createSimulatedWorld()
const { evidence, anchors } = mintReceipt(world)
const day = 86_400
const then = { status: 'UpToDate', at: world.signedAt + 1 }

test('while the collateral is in force, the quote is verified again as of today', async () => {
  const result = await tcbThenAndNow(evidence, anchors, world.signedAt + 5 * day)
  expect(result).toMatchObject({ then, now: { kind: 'checked', status: 'UpToDate' } })
})

test('when it is out of date or missing, nothing is said about today', async () => {
  const late = await tcbThenAndNow(evidence, anchors, world.signedAt + 100 * day)
  expect(late).toMatchObject({ then, now: { kind: 'skip' } })
  const { collateral: _, ...without } = evidence
  expect(await tcbThenAndNow(without, anchors, world.signedAt)).toMatchObject({ then, now: { kind: 'skip' } })
})

test('newer collateral of the vendor decides about today, wherever it comes from; forged collateral does not', async () => {
  const at = world.signedAt + 100 * day
  const later = await createSimulatedWorld(at) // the same roots and keys, collateral issued a hundred days later
  const newest = { source: 'the newest published receipt', bytes: later.collateralBytes }
  const result = await tcbThenAndNow(evidence, anchors, at, [newest])
  expect(result).toMatchObject({ then, now: { kind: 'checked', source: newest.source, status: 'UpToDate' } })
  const forged = new TextEncoder().encode(new TextDecoder().decode(newest.bytes).replace('UpToDate', 'OutOfDate'))
  for (const bytes of [forged, new Uint8Array(3)]) {
    expect((await tcbThenAndNow(evidence, anchors, at, [{ source: 'a file', bytes }]))?.now.kind).toBe('skip')
  }
  const inForce = await tcbThenAndNow(evidence, anchors, world.signedAt + day, [newest])
  expect(inForce?.now).toMatchObject({ source: 'the receipt itself' }) // what is issued in the future does not count
})

test('newer collateral that revokes the platform decides, although the receipt’s own is still in force', async () => {
  const at = world.signedAt + 5 * day
  const bytes = await world.collateralOf(at - day, { revokedByPckCa: [tdxSerials.pck] })
  const result = await tcbThenAndNow(evidence, anchors, at, [{ source: 'a file', bytes }])
  expect(result).toMatchObject({ then, now: { kind: 'refused', code: 'cert_revoked' } })
})

test('newer collateral by which your policy refuses the platform refuses it', async () => {
  const at = world.signedAt + 5 * day
  const strict = { ...anchors, enclave: { minTcbEvaluationDataNumber: 99 } }
  expect((await tcbThenAndNow(evidence, strict, at))?.now).toMatchObject({ kind: 'refused', code: 'tcb_not_allowed' })
})

test('a quote under another root is refused, whatever the receipt says', async () => {
  const other = { ...anchors, tdxRoot: world.snp.root }
  expect((await tcbThenAndNow(evidence, other, world.signedAt + day))?.now).toMatchObject({ kind: 'refused' })
})

test('what is no receipt has no status', async () => {
  expect(await tcbThenAndNow({ receipt: new Uint8Array(3) }, anchors, world.signedAt)).toBeNull()
})
