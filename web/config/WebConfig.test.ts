import { expect, test } from 'vitest'
import { contentSecurityPolicy } from './contentSecurityPolicy.js'
import { baseSepolia, sepolia } from 'viem/chains'
import { defaultRpcUrls, parseWebConfig } from './WebConfig.js'

const env = {
  VITE_API_URL: 'https://api.example.test/',
  VITE_CHAIN_ID: '31337',
  VITE_RPC_URL: 'http://127.0.0.1:8545',
  VITE_IPFS_GATEWAY_URL: 'https://gateway.example.test/',
}

test('reads what is there and has defaults for the rest', () => {
  expect(parseWebConfig(env)).toEqual({
    apiBaseUrl: 'https://api.example.test',
    chainId: 31337,
    rpcUrl: 'http://127.0.0.1:8545',
    identityProvider: 'google',
    ipfsGatewayUrl: 'https://gateway.example.test',
    contracts: [],
  })
})

test('names every wrong variable at once', () => {
  const wrong = { VITE_CHAIN_ID: 'x', VITE_RPC_URL: 'javascript:alert(1)', VITE_CONTRACT_ADDRESS: '0x1' }
  expect(() => parseWebConfig(wrong)).toThrow(
    /VITE_CHAIN_ID.*VITE_CONTRACT_ADDRESS|VITE_CONTRACT_ADDRESS.*VITE_CHAIN_ID/,
  )
  for (const name of ['VITE_API_URL', 'VITE_CHAIN_ID', 'VITE_RPC_URL', 'VITE_CONTRACT_ADDRESS']) {
    expect(() => parseWebConfig(wrong)).toThrow(name)
  }
})

test('the contract of today comes first, each address once and in lower case', () => {
  const [today, before] = [`0x${'aB'.repeat(20)}`, `0x${'01'.repeat(20)}`]
  const read = (VITE_CONTRACT_ADDRESS: string, VITE_FORMER_CONTRACTS: string) =>
    parseWebConfig({ ...env, VITE_CONTRACT_ADDRESS, VITE_FORMER_CONTRACTS }).contracts
  expect(read(today, '')).toEqual([today.toLowerCase()])
  expect(read(today, `${before}@12,${today}`)).toEqual([today.toLowerCase(), before])
  expect(() => read('', before)).toThrow('VITE_FORMER_CONTRACTS needs VITE_CONTRACT_ADDRESS')
  expect(() => read(today, 'x')).toThrow('VITE_FORMER_CONTRACTS must be a list of addresses')
})

test('the two test networks need no RPC address, any other chain does', () => {
  for (const chain of [sepolia, baseSepolia]) {
    expect(defaultRpcUrls[chain.id]).toBe(chain.rpcUrls.default.http[0])
    const config = parseWebConfig({ ...env, VITE_CHAIN_ID: String(chain.id), VITE_RPC_URL: '' })
    expect(contentSecurityPolicy(config)).toContain(new URL(config.rpcUrl).origin)
  }
  expect(() => parseWebConfig({ ...env, VITE_RPC_URL: '' })).toThrow('VITE_RPC_URL')
})

test('the policy allows requests to the configured origins only, and no inline script', () => {
  const policy = contentSecurityPolicy(parseWebConfig(env))
  const connect = policy.split('; ').find((part) => part.startsWith('connect-src'))
  expect(connect).toBe("connect-src 'self' https://api.example.test http://127.0.0.1:8545 https://gateway.example.test")
  expect(policy).not.toContain('unsafe')
})
