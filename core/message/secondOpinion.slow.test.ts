import { SignTypedDataVersion, TypedDataUtils } from '@metamask/eth-sig-util'
import { hashMessage, TypedDataEncoder } from 'ethers'
import { SiweMessage } from 'siwe'
import { expect, test } from 'vitest'
import { createRandom, type Random } from '../../tests/createRandom.js'
import { fromHex, toHex } from '../bytes/index.js'
import { parseMessage, parseSignIn, type TypedData, type TypedMember } from './index.js'
import { codeOf, hexOfText, signInText } from './testing/texts.js'

/* Other people's code: ethers, MetaMask's signing library and the reference parser of sign-in messages. */

const names = ['a', 'b', 'owner', 'amount', '$x', '_y', 'nonce']
const bits = (random: Random) => 8 * random.between(1, 32)
const hexOf = (random: Random, bytes: number) => toHex(Uint8Array.from({ length: bytes }, () => random.below(256)))
const below = (random: Random, exponent: number) => BigInt(hexOf(random, 32)) % 2n ** BigInt(exponent)

/** An atom's type with a value of it. */
function atom(random: Random): [string, unknown] {
  const size = bits(random)
  const signed = below(random, size) - 2n ** BigInt(size - 1)
  return random.pick<[string, unknown]>([
    [`uint${size}`, String(below(random, size))],
    [`int${size}`, String(signed)],
    ['bool', random.fraction() < 0.5],
    ['address', hexOf(random, 20)],
    ['string', random.pick(['', 'text', 'zwei 🚀', '0x00', 'line\nline'])],
    ['bytes', hexOf(random, random.below(40))],
    [`bytes${size / 8}`, hexOf(random, size / 8)],
  ])
}

/** A type with a value of it: an atom, a struct, or an array of either, of any or of a fixed length. */
function member(random: Random, types: Record<string, TypedMember[]>, depth: number): [string, unknown] {
  const [type, value] = depth > 0 && random.fraction() < 0.35 ? struct(random, types, depth - 1) : atom(random)
  if (random.fraction() > 0.25) return [type, value]
  const length = random.between(1, 3)
  const values = Array.from({ length }, () => structuredClone(value))
  return random.fraction() < 0.5 ? [`${type}[]`, values] : [`${type}[${length}]`, values]
}

function struct(random: Random, types: Record<string, TypedMember[]>, depth: number): [string, unknown] {
  const name = `T${Object.keys(types).length}`
  const members: TypedMember[] = []
  types[name] = members
  const value: Record<string, unknown> = {}
  for (const one of names.slice(0, random.between(1, names.length))) {
    const [type, item] = member(random, types, depth)
    members.push({ name: one, type })
    value[one] = item
  }
  return [name, value]
}

function typedData(random: Random): TypedData {
  const types: Record<string, TypedMember[]> = {}
  const [primaryType, message] = struct(random, types, 2)
  const domain = {
    name: 'Second opinion',
    ...(random.fraction() < 0.5 && { version: String(random.below(9)) }),
    ...(random.fraction() < 0.7 && { chainId: String(random.between(1, 100_000)) }),
    ...(random.fraction() < 0.5 && { verifyingContract: hexOf(random, 20) }),
    ...(random.fraction() < 0.3 && { salt: hexOf(random, 32) }),
  }
  return { types, primaryType, domain, message: message as Record<string, unknown> }
}

test('ethers and MetaMask’s library give the same digest for 80 random contents with every kind of member', () => {
  const random = createRandom(4)
  for (let made = 0; made < 80; made++) {
    const data = typedData(random)
    const { digest } = parseMessage({ scheme: 'eip712', typedData: data })
    const { types, primaryType, domain, message } = data
    expect(TypedDataEncoder.hash(domain, types, message)).toBe(digest)
    const EIP712Domain = TypedDataEncoder.getPayload(domain, types, message).types.EIP712Domain as TypedMember[]
    const asked = { types: { EIP712Domain, ...types }, primaryType, domain, message }
    expect(`0x${TypedDataUtils.eip712Hash(asked as never, SignTypedDataVersion.V4).toString('hex')}`).toBe(digest)
  }
})

test('ethers gives the same digest for 300 random texts and bytes', () => {
  const random = createRandom(5)
  for (let made = 0; made < 300; made++) {
    const message = hexOf(random, 40 + random.below(300))
    if (codeOf(() => parseMessage({ scheme: 'eip191', message })) !== 'accepted') continue // bytes in disguise
    expect(hashMessage(fromHex(message))).toBe(parseMessage({ scheme: 'eip191', message }).digest)
  }
  expect(hashMessage('zwei 🚀')).toBe(parseMessage({ scheme: 'eip191', message: hexOfText('zwei 🚀') }).digest)
})

test('of 3,000 mutants of a sign-in message, siwe accepts all that we accept, and reads the same in it', () => {
  const random = createRandom(6)
  let accepted = 0
  for (let made = 0; made < 3_000; made++) {
    const text = changed(random, signInText)
    if (codeOf(() => parseSignIn(text)) !== 'accepted') continue
    accepted += 1
    const ours = parseSignIn(text)
    const theirs = new SiweMessage(text) // throws if it would not accept what we accept
    expect({ ...ours, chainId: Number(ours.chainId), resources: ours.resources }).toEqual({
      scheme: theirs.scheme ?? null,
      domain: theirs.domain,
      address: theirs.address,
      statement: theirs.statement ?? null,
      uri: theirs.uri,
      chainId: theirs.chainId,
      nonce: theirs.nonce,
      issuedAt: theirs.issuedAt,
      expirationTime: theirs.expirationTime ?? null,
      notBefore: theirs.notBefore ?? null,
      requestId: theirs.requestId ?? null,
      resources: theirs.resources ?? [],
    })
  }
  expect(accepted).toBeGreaterThan(300)
})

/** A line taken away, doubled or moved, or a character changed. */
function changed(random: Random, text: string): string {
  const lines = text.split('\n')
  const at = random.below(lines.length)
  const way = random.below(5)
  if (way === 0) return lines.toSpliced(at, 1).join('\n')
  if (way === 1) return lines.toSpliced(at, 0, lines[at] as string).join('\n')
  if (way === 2)
    return lines
      .toSpliced(at, 1)
      .toSpliced(random.below(lines.length), 0, lines[at] as string)
      .join('\n')
  const place = random.below(text.length)
  const letter = random.pick(['a', '0', 'Z', ' ', ':', '/', '-', '.', '@', '%', '\n', '\r', 'é', '<', '#', '?'])
  return text.slice(0, place) + letter + text.slice(place + (way === 3 ? 1 : 0))
}
