import { hashTypedData } from 'viem'
import { expect, test } from 'vitest'
import { canonicalJson, type Json } from '../bytes/index.js'
import { isErrorCode, ServiceError } from '../errors/index.js'
import { createRandom, type Random } from '../../tests/createRandom.js'
import { parseMessage, type ParsedMessage } from './index.js'
import { forViem, mail, permit } from './testing/typedData.js'

type Node = Json
const letters = ['a', 'Z', '_', '$', '0', ' ', ',', '(', ')', '[', ']', 'é', '\ud800', '🚀']
const types = ['uint8', 'uint256', 'int64', 'bool', 'string', 'bytes', 'bytes4', 'address', 'Person', 'uint8[]', 'uint']
const odd: Json[] = [null, true, false, 0, 1, -1, '', '0', '00', '-0', '0x', '0x00', 'false', [], {}, '1e3', ' 1', '+1']

/** One small change somewhere in the value. */
function mutate(value: Node, random: Random): Node {
  if (Array.isArray(value) && value.length > 0 && random.fraction() < 0.8) {
    const i = random.below(value.length)
    const change = random.below(5)
    if (change === 0) return value.toSpliced(i, 1)
    if (change === 1) return value.toSpliced(i, 0, structuredClone(value[i] as Node))
    if (change === 2) return value.toReversed()
    return value.with(i, mutate(value[i] as Node, random))
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    const name = random.pick(Object.keys(value))
    const { [name]: item = null, ...rest } = value
    const change = random.below(12)
    if (change === 0) return rest
    if (change === 1) return { ...rest, [mutateText(name, random)]: item }
    if (change === 2)
      return { ...value, [random.pick(['extra', 'value', '__proto__', 'EIP712Domain'])]: random.pick(odd) }
    return { ...value, [name]: mutate(item, random) }
  }
  if (random.fraction() < 0.3) return random.pick(odd)
  if (typeof value === 'string') return random.fraction() < 0.2 ? random.pick(types) : mutateText(value, random)
  if (typeof value === 'boolean') return !value
  return typeof value === 'number' ? value + 1 : random.pick(odd)
}

function mutateText(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const change = random.below(4)
  if (change === 0) return text.slice(0, at) + text.slice(at + 1)
  if (change === 1) return text.slice(0, at) + random.pick(letters) + text.slice(at)
  if (change === 2) return text.slice(0, at) + String(random.below(10)) + text.slice(at + 1)
  return random.fraction() < 0.5 ? text.toLowerCase() : text.toUpperCase()
}

/** The content in one spelling: hex in lower case, everything else as it is. Equal for two contents that mean the same. */
function meaningOf({ message }: ParsedMessage): string {
  return canonicalJson(message).replaceAll(/"0[xX][0-9a-fA-F]*"/g, (hex) => hex.toLowerCase())
}

const parse = (typedData: unknown): ParsedMessage | string => {
  try {
    return parseMessage({ scheme: 'eip712', typedData })
  } catch (error) {
    if (error instanceof ServiceError && isErrorCode(error.code)) return error.code
    throw error // a fault of ours
  }
}

function viemDigest(typedData: unknown): string | null {
  try {
    return hashTypedData(forViem(typedData))
  } catch {
    return null
  }
}

/**
 * What we refuse and viem signs, and why. Each is a content that two people could understand differently, or of which a
 * part is shown but not signed.
 */
const stricter: Record<string, string> = {
  typed_data_invalid: 'viem ignores other members beside the four, and takes a missing domain for an empty one',
  typed_data_domain:
    'viem ignores unknown members of a domain, takes the caller’s EIP712Domain, and signs for an empty one',
  typed_data_primary_type: 'viem does not ask that the primary type be the root',
  typed_data_type_invalid: 'viem takes any name, equal names, further members of a member, and uint for uint256',
  typed_data_type_missing: 'viem takes any name that starts with uint, int or bytes for an atom: uint1$60',
  typed_data_type_unused: 'viem ignores types that nothing uses',
  typed_data_type_recursive: 'viem signs a type that contains itself when the value ends',
  typed_data_member_unknown: 'viem ignores members that the type does not have',
  typed_data_number: 'viem takes JSON numbers, which are rounded beyond 2^53',
  typed_data_value: 'viem takes integers in hex, with spaces, signs or zeros in front; text as bytes; wrong checksums',
  chain_not_allowed: 'viem takes any integer as the number of a chain',
}

test('5,000 mutants of typed data: none is signed under another meaning, and viem agrees on all that is signed', () => {
  const random = createRandom(712)
  const originals = [mail, permit]
  const digests = new Map<string, string>() // digest to meaning, over all that was ever accepted
  for (const original of originals) {
    const parsed = parse(original) as ParsedMessage
    digests.set(parsed.digest, meaningOf(parsed))
  }
  const counts = { signed: 0, refused: 0, 'viem would sign': 0 }
  const unexplained: string[] = []
  for (let made = 0; made < 5_000; made++) {
    let mutant: Node = random.pick(originals) as unknown as Node
    for (let changes = random.between(1, 3); changes > 0; changes--) mutant = mutate(mutant, random)
    const parsed = parse(mutant)
    const theirs = viemDigest(mutant)
    if (typeof parsed === 'string') {
      counts.refused++
      if (theirs !== null) counts['viem would sign']++
      if (theirs !== null && !(parsed in stricter)) unexplained.push(`${parsed}: ${JSON.stringify(mutant)}`)
      continue
    }
    counts.signed++
    // viem leaves an empty version out of the domain's type; EIP-712 and ethers do not
    const emptyVersion = parsed.message.scheme === 'eip712' && parsed.message.typedData.domain.version === ''
    if (theirs !== parsed.digest && !emptyVersion)
      unexplained.push(`another digest than viem: ${JSON.stringify(mutant)}`)
    const meaning = meaningOf(parsed)
    expect(digests.get(parsed.digest) ?? meaning).toBe(meaning)
    digests.set(parsed.digest, meaning)
  }
  expect(unexplained.slice(0, 3)).toEqual([])
  expect(counts.signed).toBeGreaterThan(300)
  expect(counts['viem would sign']).toBeGreaterThan(300)
  expect(new Set(digests.values()).size).toBe(digests.size)
})
