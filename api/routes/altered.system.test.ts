import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest, type TxMetadata } from '@perigee/core'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { realDeps } from '../testing/realDeps.js'
import { codeOf, rawRequest } from '../testing/rawRequest.js'
import { startTestApi, webOrigin, type TestApi } from '../../tests/rigs/api/startTestApi.js'

// Everything behind the API is real here: Temporal, worker, and an enclave that truly signs, whose calls are counted.
let service: TestService
let api: TestApi
let headers: Record<string, string>
let enclaveCalls = 0
beforeAll(async () => {
  service = await startService({
    change(deps) {
      const { signTransaction } = deps.enclave
      deps.enclave = {
        ...deps.enclave,
        signTransaction: (...input) => {
          enclaveCalls += 1
          return signTransaction(...input)
        },
      }
    },
  })
  await service.startWorkers(['sign'])
  api = await startTestApi({ deps: realDeps(service) })
  const browser = await api.signIn('signer@example.test')
  expect((await api.post(browser, '/wallet/provision')).status).toBe(200)
  headers = { cookie: browser.cookieHeader(new URL(api.url)), origin: webOrigin, 'content-type': 'application/json' }
})
afterAll(async () => {
  await api?.close()
  await service?.close()
})

const digest = transactionDigest(exampleTransaction)
const send = (txMetadata: object, given: unknown = digest) =>
  rawRequest(`${api.url}/sign/digest`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ digest: given, txMetadata }),
  })

const hexDigits = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((b) => `0x${Buffer.from(b).toString('hex')}`)
const amount = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }).map(String)
const nonsense = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.string(),
  fc.double(),
  fc.constant(undefined),
  fc.constant({}),
)
const fields = [...(Object.keys(exampleTransaction) as (keyof TxMetadata)[]), 'digest' as const]
const change: fc.Arbitrary<[keyof TxMetadata | 'digest' | 'extra', unknown]> = fc.oneof(
  fc.tuple(fc.constant('chainId' as const), fc.nat()),
  fc.tuple(fc.constant('nonce' as const), fc.maxSafeNat()),
  fc.tuple(fc.constant('to' as const), hexDigits(20)),
  fc.tuple(
    fc.constantFrom('value' as const, 'gas' as const, 'maxFeePerGas' as const, 'maxPriorityFeePerGas' as const),
    amount,
  ),
  fc.tuple(fc.constant('data' as const), fc.nat({ max: 40 }).chain(hexDigits)),
  fc.tuple(fc.constant('digest' as const), fc.oneof(hexDigits(32), fc.nat({ max: 40 }).chain(hexDigits))),
  fc.tuple(fc.constantFrom(...fields), nonsense),
  fc.tuple(fc.constant('extra' as const), fc.string()),
)

/** Each field with a value of each wrong type. */
const everyType = fields.flatMap((field) =>
  [null, true, 'nonsense', 0.5, undefined, {}].map((value): [keyof TxMetadata | 'digest', unknown] => [field, value]),
)

test('2,500 requests with one altered field are all 422 and never reach the enclave', async () => {
  const seed = 20_261_115
  const samples = [...fc.sample(change, { numRuns: 2_700, seed }), ...everyType]
  let sent = 0
  const next = async (): Promise<void> => {
    for (let entry = samples.pop(); entry && sent < 2_500; entry = samples.pop()) {
      const [field, value] = entry
      const known = field === 'digest' ? digest : exampleTransaction[field as keyof TxMetadata]
      if (JSON.stringify(value) === JSON.stringify(known)) continue // altered to what it was
      sent += 1
      const answer = await (field === 'digest'
        ? send(exampleTransaction, value ?? null)
        : send({ ...exampleTransaction, [field]: value }))
      if (answer.status !== 422 || !['digest_mismatch', 'transaction_invalid'].includes(codeOf(answer) ?? '')) {
        expect.fail(`seed ${seed}: ${field} = ${JSON.stringify(value)} was answered ${answer.status} ${answer.body}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, next))
  expect(sent).toBe(2_500)
  expect(enclaveCalls).toBe(0)
  const [{ count }] = await service.database.query<[{ count: number }]>(`SELECT count(*) FROM transactions`)
  expect(count).toBe(0)

  // The same request, unaltered, does reach it: the count counts.
  expect((await send(exampleTransaction)).status).toBe(200)
  expect(enclaveCalls).toBe(1)
})

test('readiness sees whether a worker serves the queue', async () => {
  await expect(service.temporal.checkPollers('sign')).resolves.toBeUndefined()
  await expect(service.temporal.checkPollers('publish')).rejects.toMatchObject({ code: 'service_unavailable' })
})
