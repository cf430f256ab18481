import { toHex } from '@perigee/core'
import type { Message } from '@perigee/core/message'
import { beforeAll, expect, test } from 'vitest'
import { hexOfText } from '../../core/message/testing/texts.js'
import { permit } from '../../core/message/testing/typedData.js'
import { randomHex } from '../../enclave/testing/createTestWorld.js'
import { signMessageRequest } from '../../enclave/testing/requests.js'
import type { SignMessageAnswer } from '@perigee/core/enclave'
import type { SignedMessageRequest } from './EvidenceVerifier.js'
import { codeOf, useEvidence } from './testing/useEvidence.js'

const rig = useEvidence()
const typed: Message = { scheme: 'eip712', typedData: permit }
const hello: Message = { scheme: 'eip191', message: hexOfText('Hello') }
let request: SignedMessageRequest
let answer: SignMessageAnswer

async function signed(message: Message): Promise<[SignedMessageRequest, SignMessageAnswer]> {
  const asked = signMessageRequest(rig.wallet, rig.world, message)
  const given = await rig.enclave.client.signMessage(asked)
  return [{ ...asked, coordinator: rig.world.coordinator.attestation }, given]
}

beforeAll(async () => {
  ;[request, answer] = await signed(typed)
})

const verify = (changes: Partial<SignedMessageRequest> = {}, given: Partial<SignMessageAnswer> = {}) =>
  codeOf(rig.verifierWith().verifyMessageEvidence({ ...request, ...changes }, { ...answer, ...given }))

test('honest answers about messages and typed data are verified', async () => {
  expect(await verify()).toBe('accepted')
  expect(await codeOf(rig.verifierWith().verifyMessageEvidence(...(await signed(hello))))).toBe('accepted')
})

test('an answer about another message, salt, nonce, time or key is refused', async () => {
  const deadline = { ...permit, message: { ...permit.message, deadline: '1' } }
  expect(await verify({ message: { scheme: 'eip712', typedData: deadline } })).toBe('signature_invalid')
  expect(await verify({ message: hello })).toBe('signature_invalid')
  expect(await verify({ salt: randomHex(32) })).toBe('binding_mismatch')
  expect(await verify({ nonce: randomHex(32) })).toBe('binding_mismatch')
  expect(await verify({}, { signedAt: answer.signedAt - 1 })).toBe('binding_mismatch')
  expect(await verify({ keyId: `key_${'0'.repeat(40)}` })).toBe('binding_mismatch')
})

test('another signature is refused', async () => {
  expect(await verify({}, { signature: toHex(new Uint8Array(65).fill(27)) })).toBe('signature_invalid')
  expect(await verify({}, { signature: rig.answer.signature })).toBe('signature_invalid')
})

test('a quote about a transaction does not vouch for a message, nor the other way round', async () => {
  expect(await verify({}, { quote: rig.answer.quote })).toBe('binding_mismatch')
  const swapped = { ...rig.answer, quote: answer.quote }
  expect(await codeOf(rig.verifierWith().verifySignEvidence(rig.signed, swapped))).toBe('binding_mismatch')
})
