import { expect, test } from 'vitest'
import { EnvReader, type Env } from '@perigee/core/config'
import { parsePublishUnsentAfter, parseWalletRpcs } from './config.js'

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

test('an unsent transaction is waited for: 15 minutes unless configured', () => {
  const read = (variables: Env) => parsePublishUnsentAfter(new EnvReader(variables))
  expect(read({})).toBe(900)
  expect(read({ PUBLISH_UNSENT_AFTER: '0' })).toBe(0)
})
