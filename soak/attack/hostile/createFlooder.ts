import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '../../../tests/createRandom.js'
import { bodyOf } from '../../load/signingRequest.js'
import { createClient, type Question } from './createClient.js'
import { createPace } from './createPace.js'
import { hostileRequest } from './hostileRequest.js'
import type { Account, HostilePlan } from './Plan.js'
import type { Operation } from './readOperations.js'

/** Far more than one person may ask of two processes. A refusal takes a quarter of a second, so connections bound it too. */
const perSecond = 80
const connections = 40

/** One more byte than any route reads. */
const oversized = JSON.stringify({ text: 'x'.repeat(150 * 1024) })
const malformed = ['{', '{"a":1,"a":2}', '[]', '{"digest":"0x00","txMetadata":{}}', '\u0000']

/** Floods every documented operation with valid and invalid requests. */
export function createFlooder(
  account: Account,
  operations: readonly Operation[],
  { apiUrls, chainId, pendingSlugs }: Pick<HostilePlan, 'apiUrls' | 'chainId' | 'pendingSlugs'>,
  random: Random,
) {
  const client = createClient(account, apiUrls, connections)
  const key = randomUUID()
  let turn = random.below(operations.length)

  /** What a schema cannot say: a body that is really signed. */
  function validBody({ id, example }: Operation): string {
    if (id === 'signDigest') return JSON.stringify(bodyOf(hostileRequest('transaction', chainId)))
    if (id === 'signMessage') return JSON.stringify(bodyOf(hostileRequest('message', chainId)))
    if (id === 'provisionWallet') return '{}'
    return JSON.stringify(example)
  }

  function bodyFor(operation: Operation): string {
    const kind = random.between(1, 8)
    if (kind <= 5) return validBody(operation)
    return kind === 8 ? oversized : random.pick(malformed)
  }

  /** A live session, one that has ended, a forged one, or none. */
  function headersFor({ id }: Operation): Record<string, string> {
    const { cookie: _, ...without } = account.headers
    const kind = random.between(1, 8)
    // A flooder that signs out has no session left.
    if (id === 'logout' || kind === 6) return account.deadHeaders
    if (kind <= 5) return random.pick(account.sessions)
    return kind === 7 ? { ...without, cookie: `perigee_session=Fe26.2*1*${randomBytes(150).toString('hex')}` } : without
  }

  function question(): Question {
    const operation = operations[turn++ % operations.length] as Operation
    const path = operation.path
      .replace('{slug}', () => (random.below(2) ? random.pick(pendingSlugs) : randomBytes(16).toString('base64url')))
      .replace('{provider}', () => (random.below(4) ? 'dev' : 'nobody'))
      .replace(/\{\w+\}/g, () => randomUUID())
    const headers = { ...headersFor(operation) }
    if (operation.takesKey) headers['idempotency-key'] = random.below(2) ? key : randomUUID()
    const { method, id } = operation
    return { operation: id, method, path, headers, ...(operation.hasBody && { body: bodyFor(operation) }) }
  }

  return { client, ...createPace(perSecond, () => void client.ask(question())) }
}
