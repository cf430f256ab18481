import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServiceError, transactionDigest, type Hex } from '@perigee/core'
import { sealingVersionOf } from '@perigee/core/enclave'
import type { ResealedKey } from '../../activities/wallets/resealRecord.js'
import { findWallet } from '../../database/index.js'
import { newTransaction, randomHex } from '../../enclave/testing/createTestWorld.js'
import { serveEnclave } from '../../clients/enclave/testing/serveEnclave.js'
import { run } from '../../ops/run.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { findReseals } from '../../tests/rigs/findReseals.js'
import { createActivities } from '../../workers/createActivities.js'
import { simulationDir, startService, type TestService } from '../../tests/rigs/workers/startService.js'

let service: TestService
/** An enclave from before the rotation. */
let old: Awaited<ReturnType<typeof serveEnclave>>
beforeAll(async () => {
  service = await startService({ env: { ENCLAVE_SEALING_VERSIONS: '2,1' } })
  const env = { ...service.env, ENCLAVE_SEALING_VERSIONS: '1' }
  old = await serveEnclave({ dir: await simulationDir(), env, tls: service.tls })
  await service.startWorkers(['sign'])
})
afterAll(async () => {
  await old.close()
  await service.close()
})

/** Does this with another enclave in place of the service's. */
async function withEnclave<T>(enclave: Partial<TestService['deps']['enclave']>, work: () => Promise<T>): Promise<T> {
  const kept = service.deps.enclave
  Object.assign(service.deps, { enclave: { ...kept, ...enclave } })
  return work().finally(() => Object.assign(service.deps, { enclave: kept }))
}

/** A wallet from before the rotation. */
async function oldWallet() {
  const userId = await service.newUser()
  const { walletId } = await withEnclave(old.client, () => service.provision(userId))
  return { walletId, subject: service.subjectOf(userId) }
}
const sealOf = async (walletId: string): Promise<Hex> => (await findWallet(service.database, walletId))?.sealedKey ?? '0x' // prettier-ignore

/** As the API does for the person who is here. */
async function reseal(walletId: string, subject: Hex, version = 2): Promise<unknown> {
  const wallet = await findWallet(service.database, walletId)
  const stated = await service.statements.resealKey(subject, wallet?.address ?? '0x', wallet?.sealedKey ?? '0x')
  await service.temporal.startResealing({ walletId, version, ...stated })
  return service.client.workflow.getHandle(`reseal/${walletId}/${version}`).result()
}
const codeIn = (error: unknown): string => {
  for (let at = error as { type?: string; cause?: unknown } | undefined; at; at = at.cause as typeof at) {
    if (typeof at.type === 'string') return at.type
  }
  return String(error)
}
const refusal = (work: Promise<unknown>) => work.then(() => 'accepted', codeIn)
const sign = (walletId: string, transaction = newTransaction()) =>
  service.sign({ walletId, transaction, digest: transactionDigest(transaction) })

test('an old wallet is resealed, once, with evidence; it signs as before, and ops counts it', async () => {
  const { walletId, subject } = await oldWallet()
  const before = await sealOf(walletId)
  expect(sealingVersionOf(before)).toBe(1)
  expect(await ops()).toMatchObject({ code: 1, old: 1 })
  expect(await reseal(walletId, subject)).toEqual({ version: 2, recorded: true })
  await keepHistory(service.client, `reseal/${walletId}/2`, 'reseal')
  const after = await sealOf(walletId)
  expect(sealingVersionOf(after)).toBe(2)
  const [evidence, ...others] = await findReseals(service.database, walletId)
  expect(others).toEqual([])
  // What is kept is enough to verify the quote again, later.
  const wallet = await findWallet(service.database, walletId)
  if (!wallet || !evidence) throw new Error('nothing was recorded')
  const { keyId, address, owners, since } = wallet
  const { nonce, coordinator, statement, runtimeEvents, publicKey, platform, quote, resealedAt, version } = evidence
  const request = { sealedKey: before, keyId, address, owners, since, nonce, coordinator, statement }
  const answer = { publicKey, sealedKey: after, sealingVersion: version, resealedAt, platform, quote, runtimeEvents }
  await expect(service.deps.evidence.verify({ kind: 'reseal', request, answer })).resolves.toBeDefined()
  const other = { ...answer, sealedKey: before }
  await expect(service.deps.evidence.verify({ kind: 'reseal', request, answer: other })).rejects.toThrow()

  expect(await reseal(walletId, subject)).toEqual({ version: 2 })
  await keepHistory(service.client, `reseal/${walletId}/2`, 'reseal-again')
  expect(await sealOf(walletId)).toBe(after)
  expect((await sign(walletId)).signature).toMatch(/^0x/)
  expect(await ops()).toMatchObject({ code: 0, old: 0 })
  const events = await service.database.query<unknown[]>(`SELECT facts FROM audit_events WHERE kind = 'key_resealed'`)
  expect(events).toEqual([{ facts: { walletId, version: 2 } }])
})

test('not by somebody else’s statement, and not by an enclave from before the rotation', async () => {
  const { walletId, subject } = await oldWallet()
  const before = await sealOf(walletId)
  expect(await refusal(reseal(walletId, randomHex(32)))).toBe('sealed_key_invalid')
  await keepHistory(service.client, `reseal/${walletId}/2`, 'reseal-refused')
  expect(await withEnclave(old.client, () => refusal(reseal(walletId, subject)))).toBe('enclave_refused')
  expect(await sealOf(walletId)).toBe(before)
  expect(await findReseals(service.database, walletId)).toEqual([])
  expect(await reseal(walletId, subject)).toEqual({ version: 2, recorded: true })
})

test('an answer that was lost between enclave and record costs nothing: the repeat seals again', async () => {
  const { walletId, subject } = await oldWallet()
  const { enclave } = service.deps
  let calls = 0
  const resealKey: typeof enclave.resealKey = async (input) => {
    const answer = await enclave.resealKey(input)
    if (++calls === 1) throw new ServiceError('enclave_unreachable', 'the answer was lost')
    return answer
  }
  expect(await withEnclave({ resealKey }, () => reseal(walletId, subject))).toEqual({ version: 2, recorded: true })
  expect(calls).toBe(2)
  expect(await findReseals(service.database, walletId)).toHaveLength(1)
  expect((await sign(walletId)).slug).toBeDefined()
})

test('a seal is recorded only with the quote that was verified; a late attempt knows that it counted', async () => {
  const { walletId, subject } = await oldWallet()
  const before = await sealOf(walletId)
  const { address } = (await findWallet(service.database, walletId))!
  const stated = await service.statements.resealKey(subject, address, before)
  const input = { walletId, version: 2, ...stated }
  const steps = createActivities(service.deps).sign
  const resealed = (await steps.resealKeyInEnclave(input)) as ResealedKey
  const request = { ...resealed.key, nonce: resealed.nonce, ...stated }
  const verified = await steps.verifyQuote({ kind: 'reseal', request, answer: resealed.answer })
  const other = { ...verified, quoteHash: `0x${'00'.repeat(32)}` as const }
  const forged = steps.recordReseal({ ...input, resealed, verified: other })
  await expect(forged).rejects.toMatchObject({ code: 'binding_mismatch' })
  expect(await sealOf(walletId)).toBe(before)

  expect(await steps.recordReseal({ ...input, resealed, verified })).toEqual({ version: 2, recorded: true })
  // Its answer is lost, and the key is sealed for other owners before the next attempt.
  const later = `${resealed.answer.sealedKey}00`
  await service.database.query('UPDATE wallets SET sealed_key = $2 WHERE id = $1', [walletId, later])
  expect(await steps.recordReseal({ ...input, resealed, verified })).toEqual({ version: 2, recorded: true })
  await service.database.query('UPDATE wallets SET sealed_key = $2 WHERE id = $1', [walletId, before])
  const again = (await steps.resealKeyInEnclave(input)) as ResealedKey
  const once = { kind: 'reseal', request: { ...request, nonce: again.nonce }, answer: again.answer } as const
  const never = { ...input, resealed: again, verified: await steps.verifyQuote(once) }
  await service.database.query('UPDATE wallets SET sealed_key = $2 WHERE id = $1', [walletId, later])
  expect(await steps.recordReseal(never)).toMatchObject({ recorded: false })
})

test('two runs at once leave one seal, and it is the one that the evidence names', async () => {
  const { walletId, subject } = await oldWallet()
  await Promise.all([reseal(walletId, subject), reseal(walletId, subject)])
  expect(await findReseals(service.database, walletId)).toHaveLength(1)
  expect((await sign(walletId)).slug).toBeDefined()
})

async function ops() {
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: () => undefined }
  const code = await run(['sealing', '--json'], { ...service.env, SEALING_VERSION: '2' }, console)
  return { code, ...(JSON.parse(lines.join('')) as { old: number }) }
}
