import { expect, test } from 'vitest'
import { EnvReader, type Env } from '@perigee/core/config'
import { parseFormerContracts, parsePublishUnsentAfter, parseWalletRpcs } from './config.js'

const publishing = { chainId: 10, rpcUrls: ['http://own.test'] }
function walletRpcs(value: string) {
  const env = new EnvReader({ WALLET_RPC_URLS: value })
  return { rpcs: Object.fromEntries(parseWalletRpcs(env, publishing)), problems: env.problems }
}

test('RPCs are gathered by chain, those of the publishing chain among them', () => {
  const text = '7=https://a.test/key?x=1,10=https://b.test,7=http://c.test'
  expect(walletRpcs(text)).toEqual({
    rpcs: { 7: ['https://a.test/key?x=1', 'http://c.test'], 10: ['http://own.test', 'https://b.test'] },
    problems: [],
  })
  expect(walletRpcs('').rpcs).toEqual({ 10: ['http://own.test'] })
})

test.each(['https://a.test', '7=ftp://a.test', '0=https://a.test', 'x=https://a.test'])('refuses %s', (text) => {
  expect(walletRpcs(text).problems).toEqual(['WALLET_RPC_URLS must be a list of chain=URL'])
})

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

test('an unsent transaction is waited for: 15 minutes unless configured', () => {
  const read = (variables: Env) => parsePublishUnsentAfter(new EnvReader(variables))
  expect(read({})).toBe(900)
  expect(read({ PUBLISH_UNSENT_AFTER: '0' })).toBe(0)
})
