import { hashTypedData } from 'viem'
import { expect, test } from 'vitest'
import { toHex } from '../bytes/index.js'
import { createRandom, type Random } from '../../tests/createRandom.js'
import { checksumAddress, parseMessage, type TypedData, type TypedDomain, type TypedMember } from './index.js'
import { forViem } from './testing/typedData.js'

const names = ['a', '_b', 'c$', 'toString', 'constructor', 'length', 'owner', 'name']

/** Typed data of any shape that EIP-712 has: up to five structs, arrays of arrays, every atom. */
function randomTypedData(random: Random): TypedData {
  const types: Record<string, TypedMember[]> = {}
  const build = (depth: number): string => {
    const name = `S${Object.keys(types).length}`
    types[name] = []
    const members = random
      .shuffle(names)
      .slice(0, random.between(depth === 0 ? 1 : 0, 5))
      .map((member) => ({ name: member, type: randomType(depth) }))
    types[name] = members
    return name
  }
  const randomType = (depth: number): string => {
    const struct = depth < 3 && Object.keys(types).length < 5 && random.fraction() < 0.3
    let type = struct ? build(depth + 1) : randomAtom(random)
    while (random.fraction() < 0.2) type += random.pick(['[]', '[1]', '[2]'])
    return type
  }
  const primaryType = build(0)
  const valueOf = (type: string): unknown => {
    const array = /^(.*)\[(\d*)\]$/.exec(type)
    if (array) {
      const length = array[2] === '' ? random.between(0, 2) : Number(array[2])
      return Array.from({ length }, () => valueOf(array[1] as string))
    }
    const members = types[type]
    if (!members) return randomValue(type, random)
    return Object.fromEntries(members.map((member) => [member.name, valueOf(member.type)]))
  }
  return { types, primaryType, domain: randomDomain(random), message: valueOf(primaryType) as TypedData['message'] }
}

function randomAtom(random: Random): string {
  const sized = [`uint${random.between(1, 32) * 8}`, `int${random.between(1, 32) * 8}`, `bytes${random.between(1, 32)}`]
  return random.pick([...sized, 'bool', 'address', 'string', 'bytes'])
}

function randomValue(type: string, random: Random): unknown {
  const [, kind = '', size = ''] = /^([a-z]+)(\d*)$/.exec(type) ?? []
  const bytes = (length: number) => toHex(random.bytes(length))
  if (kind === 'bool') return random.fraction() < 0.5
  if (kind === 'string') return random.pick(['', 'x', 'é🚀', '\0', '0x00', ' ', '"\\'])
  if (kind === 'address') return random.pick([bytes(20), checksumAddress(bytes(20))])
  if (kind === 'bytes') return bytes(size === '' ? random.between(0, 70) : Number(size))
  const bits = Number(size)
  const any = BigInt(bytes(bits / 8))
  return String(kind === 'int' ? BigInt.asIntN(bits, any) : random.pick([any, 0n, (1n << BigInt(bits)) - 1n]))
}

function randomDomain(random: Random): TypedDomain {
  const all: [keyof TypedDomain, string][] = [
    ['name', random.pick(['App', '', 'é'])],
    ['version', '1'],
    ['chainId', String(random.between(1, 10_000_000))],
    ['verifyingContract', toHex(random.bytes(20))],
    ['salt', toHex(random.bytes(32))],
  ]
  const some = all.filter(() => random.fraction() < 0.6)
  return Object.fromEntries(random.shuffle(some.length === 0 ? all : some)) as TypedDomain
}

test('viem gives the same digest for 1,000 random typed data', () => {
  const random = createRandom(4712)
  for (let made = 0; made < 1_000; made++) {
    const typedData = randomTypedData(random)
    const { digest } = parseMessage({ scheme: 'eip712', typedData })
    if (digest !== hashTypedData(forViem(typedData))) expect.fail(JSON.stringify(typedData))
  }
})
