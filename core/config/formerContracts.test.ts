import { expect, test } from 'vitest'
import { EnvReader } from './EnvReader.js'
import { parseFormerContracts } from './formerContracts.js'

test('former contracts are addresses, with the block of their deployment where it is known', () => {
  const read = (text: string) => {
    const env = new EnvReader({ FORMER_CONTRACTS: text })
    return { contracts: parseFormerContracts(env), problems: env.problems }
  }
  const [first, second] = [`0x${'0F'.repeat(20)}`, `0x${'1f'.repeat(20)}`]
  expect(read('')).toEqual({ contracts: [], problems: [] })
  expect(read(`${first}@123,${second}`).contracts).toEqual([
    { contract: first.toLowerCase(), block: 123 },
    { contract: second, block: 0 },
  ])
  const problem = 'FORMER_CONTRACTS must be a list of addresses, each with @block or without'
  for (const wrong of ['0x12', `${first}@`, `${first}@-1`, `${first}@x`])
    expect(read(wrong).problems).toEqual([problem])
})
