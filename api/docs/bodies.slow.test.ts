import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { ServiceError, toHex, transactionDigest, type Hex, type TxMetadata } from '@perigee/core'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { createRandom } from '../../tests/createRandom.js'
import { parseReturnTo, returnToSchema } from '../signIn/parseReturnTo.js'
import { documentedRoutes } from '../testing/documentedRoutes.js'

// The document is generated from `body` of a route; these four routes parse their bodies otherwise.

type Json = Record<string, unknown>
const random = createRandom(3100)
const hex = (bytes: number) => toHex(random.bytes(bytes))
const amount = () => String(random.below(2 ** 31))
const passkey = createSoftPasskey()
const credential = passkey.credential.publicKey

const approval = () => ({
  credential,
  authenticatorData: hex(random.between(1, 37)),
  clientDataJSON: '{}',
  signature: hex(random.between(1, 72)),
  validUntil: random.below(2 ** 31),
  salt: hex(16),
})
const authorisation = () => random.pick([{}, { authorisation: null }, { authorisation: approval() }])

function signDigest(): Json {
  const txMetadata: TxMetadata = {
    chainId: random.between(1, 2 ** 31),
    nonce: random.below(1000),
    to: hex(20),
    value: amount(),
    data: hex(random.below(100)),
    gas: amount(),
    maxFeePerGas: amount(),
    maxPriorityFeePerGas: '0',
  }
  return { digest: transactionDigest(txMetadata), txMetadata, ...authorisation() }
}

function signMessage(): Json {
  const text = `message ${random.below(1000)}`
  const typedData = {
    types: { Mail: [{ name: 'text', type: 'string' }] },
    primaryType: 'Mail',
    domain: { name: 'Mail', chainId: String(random.between(1, 1000)) },
    message: { text },
  }
  const eip191 = { scheme: 'eip191', message: `0x${Buffer.from(text).toString('hex')}` }
  return { ...random.pick<Json>([eip191, { scheme: 'eip712', typedData }]), salt: hex(32), ...authorisation() }
}

function changeOwners(): Json {
  const owners = ownersOf([passkey])
  const label = random.pick([{}, { label: 'Phone' }])
  return {
    owners: { ...owners, sequence: random.below(100), previous: random.pick<Hex | null>([null, hex(32)]) },
    approval: random.pick<unknown>([
      approveOwners(owners, { passkeys: [passkey] }),
      { passkeys: [approval()], recovery: { signature: hex(64), validUntil: random.below(2 ** 31), salt: hex(16) } },
    ]),
    credentials: random.pick<unknown>([[], [{ publicKey: credential, id: 'cGhvbmU', ...label }]]),
  }
}

/** What a parser refuses for its meaning, which no schema can say. */
const ofMeaning = /^(?:digest_mismatch|typed_data_.*)$/

const routes = documentedRoutes().filter(({ method }) => method === 'post')
function judges(path: string) {
  const route = routes.find((one) => one.path === path)
  const parse = route?.steps.find(({ name }) => name.startsWith('parse'))
  if (!route?.body || !parse) throw new Error(`${path} has no body or no parser`)
  const { body: schema } = route
  return {
    onPaper: (body: unknown) => schema.safeParse(body).success,
    /** Null when the parser takes it, or the code of its refusal. */
    refusal(body: unknown): string | null {
      try {
        void parse({ body } as Request, { locals: {} } as Response, () => undefined)
        return null
      } catch (error) {
        if (error instanceof ServiceError) return error.code
        throw error
      }
    },
  }
}

/** Every body that differs in one member, at any depth: missing, of another type or content, or one more beside it. */
function* changed(value: unknown): Generator<unknown> {
  for (const other of [null, true, 7, -1, 'x', '0x', [], {}]) yield other
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const other of changed(item)) yield value.with(i, other)
    yield [...value, null]
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
    for (const [name, item] of members) {
      for (const other of changed(item)) yield { ...value, [name]: other }
      yield Object.fromEntries(members.filter(([one]) => one !== name))
    }
    yield { ...value, extra: 1 }
  }
}

test.each<[string, () => Json]>([
  ['/sign/digest', signDigest],
  ['/sign/message', signMessage],
  ['/wallet/provision', () => random.pick([{}, changeOwners()])],
  ['/wallet/owners', changeOwners],
])('%s: the document and the parser judge every body alike', (path, generate) => {
  const { onPaper, refusal } = judges(path)
  const verdicts = { taken: 0, refused: 0, ofMeaning: 0 }
  for (let made = 0; made < 30; made++) {
    const valid = generate()
    expect({ valid, onPaper: onPaper(valid), refusal: refusal(valid) }).toEqual({ valid, onPaper: true, refusal: null })
    for (const body of changed(valid)) {
      const code = refusal(body)
      if (code !== null && ofMeaning.test(code) && onPaper(body)) verdicts.ofMeaning++
      else {
        expect({ body, code, taken: onPaper(body) }).toEqual({ body, code, taken: code === null })
        verdicts[code === null ? 'taken' : 'refused']++
      }
    }
  }
  expect(verdicts.taken).toBeGreaterThan(10)
  expect(verdicts.refused).toBeGreaterThan(500)
})

test('return_to: the document and the parser have the same limit', () => {
  const origin = 'http://localhost:5173'
  const schema = returnToSchema([origin])
  for (const length of [1900, 1901, 2047, 2048, 2049, 4000]) {
    const value = `${origin}/${'a'.repeat(length - origin.length - 1)}`
    const parse = () => parseReturnTo(value, [origin])
    if (schema.safeParse(value).success) expect(parse()).toBe(value)
    else expect(parse).toThrow(ServiceError)
    expect(schema.safeParse(value).success).toBe(length <= 2048)
  }
})
