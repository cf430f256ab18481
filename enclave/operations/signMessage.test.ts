import { authorisationOf, hashOf, ownersHash } from '@perigee/core/authorisation'
import { encodeSignMessageBinding, reportData } from '@perigee/core/binding'
import { concatBytes, fromHex, toHex, type Hex } from '@perigee/core'
import type { SignMessageRequest } from '@perigee/core/enclave'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { checksumAddress, messageCommitment, parseMessage, requestHash, type Message } from '@perigee/core/message'
import { policyHash } from '@perigee/core/policy'
import { sha256 } from '@noble/hashes/sha2'
import { hashTypedData, recoverAddress, recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { hexOfText, signInText } from '../../core/message/testing/texts.js'
import { forViem, permit } from '../../core/message/testing/typedData.js'
import { createRandom } from '../../tests/createRandom.js'
import { codeOf, createEnclave } from '../testing/createEnclave.js'
import { createTestWorld, randomHex, type TestWorld } from '../testing/createTestWorld.js'
import { createKeyRequest, signMessageRequest, signRequest, walletOf, type TestWallet } from '../testing/requests.js'

const passkey = createSoftPasskey({ rpId: 'service.example', origin: 'https://service.example' })
let world: TestWorld
let enclave: ReturnType<typeof createEnclave>
let plain: TestWallet
let owned: TestWallet
beforeAll(async () => {
  world = await createTestWorld()
  enclave = createEnclave(world)
  const [first, second] = [createKeyRequest(world), createKeyRequest(world, { passkeys: [passkey] })]
  plain = walletOf(first, await enclave.createKey(first))
  owned = walletOf(second, await enclave.createKey(second))
})
afterAll(() => world.remove())

const hello: Message = { scheme: 'eip191', message: hexOfText('Hello') }
const typed: Message = { scheme: 'eip712', typedData: permit }
const signIn = (address: Hex, site = 'service.example'): Message => {
  const text = signInText
    .replace(/0x\w{40}/, checksumAddress(address))
    .replace('service.example wants', `${site} wants`)
  return { scheme: 'eip191', message: hexOfText(text) }
}

describe('signs', () => {
  test('a message, which viem recovers to the wallet', async () => {
    const { signature } = await enclave.signMessage(signMessageRequest(plain, world, hello))
    expect((await recoverMessageAddress({ message: 'Hello', signature })).toLowerCase()).toBe(plain.address)
  })

  test('typed data, which viem recovers to the wallet', async () => {
    const { signature } = await enclave.signMessage(signMessageRequest(plain, world, typed))
    const recovered = await recoverAddress({ hash: hashTypedData(forViem(permit)), signature })
    expect(recovered.toLowerCase()).toBe(plain.address)
  })

  test('with a passkey that approved exactly this', async () => {
    const request = signMessageRequest(owned, world, signIn(owned.address), { passkey })
    expect(await codeOf(enclave.signMessage(request))).toBe('accepted')
    expect(await codeOf(enclave.signMessage(signMessageRequest(owned, world, typed, { passkey })))).toBe('accepted')
  })

  test('the same bytes for the same message, whatever the salt', async () => {
    const first = await enclave.signMessage(signMessageRequest(plain, world, hello))
    const second = await enclave.signMessage(signMessageRequest(plain, world, hello))
    expect(second.signature).toBe(first.signature)
  })
})

test('the quote binds the commitment, the scheme, who authorised and when', async () => {
  const request = signMessageRequest(owned, world, typed, { passkey })
  const { signature, publicKey, policy, signedAt, quote } = await enclave.signMessage(request)
  const hidden = { scheme: 'eip712', digest: parseMessage(typed).digest, salt: request.salt } as const
  const expected = encodeSignMessageBinding({
    scheme: 'eip712',
    keyId: owned.keyId,
    publicKey,
    requestHash: requestHash(hidden),
    commitment: messageCommitment(hidden, signature),
    nonce: request.nonce,
    coordinatorReportHash: toHex(sha256(fromHex(request.coordinator.report))),
    entropyHash: entropyWitnessHash(request.entropy),
    policyHash: policyHash(policy),
    ownersHash: ownersHash(owned.owners),
    authorisationHash: hashOf(authorisationOf(request)),
    signedAt,
  })
  expect(quote).toContain(reportData(expected).slice(2))
  // Neither the digest nor the signature is in anything that is published.
  const published = JSON.stringify([authorisationOf(request), quote, toHex(concatBytes(expected))])
  for (const secret of [hidden.digest, signature, request.salt]) expect(published).not.toContain(secret.slice(2))
})

describe('refuses, before any key is opened,', () => {
  const other = () => signMessageRequest(owned, world, typed, { passkey })
  const domain = (chainId: string): Message => ({ scheme: 'eip712', typedData: { ...permit, domain: { ...permit.domain, chainId } } }) // prettier-ignore
  const cases: [string, string, () => object][] = [
    ['another chain in the domain', 'chain_not_allowed', () => signMessageRequest(plain, world, domain('1'))],
    ['a raw hash', 'message_scheme_unsupported', () => ({ ...signMessageRequest(plain, world, hello), message: { scheme: 'hash', hash: randomHex(32) } })], // prettier-ignore
    ['a digest beside the message', 'invalid_request', () => ({ ...signMessageRequest(plain, world, hello), digest: randomHex(32) })], // prettier-ignore
    ['a statement about another message', 'statement_invalid', () => ({ ...signMessageRequest(plain, world, hello), message: { scheme: 'eip191', message: hexOfText('Hullo') } })], // prettier-ignore
    ['a statement about another salt', 'statement_invalid', () => ({ ...signMessageRequest(plain, world, hello), salt: randomHex(32) })], // prettier-ignore
    ['a statement about a transaction', 'statement_invalid', () => ({ ...signMessageRequest(plain, world, hello), statement: signRequest(plain, world).statement })], // prettier-ignore
    ['no approval where there are owners', 'authorisation_required', () => signMessageRequest(owned, world, hello)],
    ['an approval of another message', 'statement_invalid', () => ({ ...signMessageRequest(owned, world, hello, { passkey }), approval: other().approval })], // prettier-ignore
    ['a sign-in message for another site than the page', 'sign_in_domain', () => signMessageRequest(owned, world, signIn(owned.address, 'evil.example'), { passkey })], // prettier-ignore
    ['a sign-in message for another account', 'sign_in_account', () => signMessageRequest(plain, world, signIn(owned.address))], // prettier-ignore
    ['an unknown sample', 'entropy_invalid', () => ({ ...signMessageRequest(plain, world, hello), entropy: { ...world.satellite.sample(), value: randomHex(32) } })], // prettier-ignore
  ]
  test.each(cases)('%s: %s', async (_, code, make) => {
    const before = enclave.uses.sealingKey
    expect(await codeOf(enclave.signMessage(make()))).toBe(code)
    expect(enclave.uses.sealingKey).toBe(before)
  })

  test('an approval of the same bytes by another kind', async () => {
    const request = signMessageRequest(owned, world, hello, { passkey })
    const { address, subject, digest } = request.statement
    const approval = passkey.approve({ kind: 'transaction', address, ownersHash: ownersHash(owned.owners), chainId: 0, digest }) // prettier-ignore
    const statement = world.coordinator.state({ kind: 'sign-message', subject, address, digest, approval })
    expect(await codeOf(enclave.signMessage({ ...request, approval, statement }))).toBe('authorisation_invalid')
  })
})

test('a signature for a message is never one for a transaction, and the other way round', async () => {
  const transaction = signRequest(plain, world)
  const asMessage = { ...signMessageRequest(plain, world, hello), statement: transaction.statement }
  expect(await codeOf(enclave.signMessage(asMessage))).toBe('statement_invalid')
  const message = signMessageRequest(plain, world, hello)
  expect(await codeOf(enclave.signTransaction({ ...transaction, statement: message.statement }))).toBe(
    'statement_invalid',
  )
})

test('1,000 mutants of requests: whatever is signed is what the statement covers', async () => {
  const random = createRandom(191)
  const good = signMessageRequest(plain, world, typed)
  const text = JSON.stringify(good.message)
  const before = enclave.uses.sealingKey
  for (let i = 0; i < 1_000; i++) {
    const at = random.below(text.length)
    const mutant = text.slice(0, at) + random.pick(['0', '1', 'a', ' ', '"', ',', '[', '}']) + text.slice(at + 1)
    let message: unknown
    try {
      message = JSON.parse(mutant)
    } catch {
      continue
    }
    if (JSON.stringify(message) === text) continue
    const code = await codeOf(enclave.signMessage({ ...good, message } as SignMessageRequest))
    if (code === 'accepted') expect(parseMessage(message).digest).toBe(parseMessage(good.message).digest)
    else
      expect(code).toMatch(
        /^(?:typed_data_\w+|message_\w+|statement_invalid|chain_not_allowed|invalid_request|nonce_replayed)$/,
      )
  }
  expect(enclave.uses.sealingKey).toBe(before)
})
