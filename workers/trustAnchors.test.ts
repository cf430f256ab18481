import { expect, test } from 'vitest'
import { chainDefaults, type ChainConfig } from '../clients/chain/ChainConfig.js'
import { contractsOf } from './trustAnchors.js'

const [now, before] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`] as const
const chain: ChainConfig = {
  ...chainDefaults,
  chainId: 5,
  rpcUrls: [],
  contract: now,
  contractBlock: 70,
  publisherKeys: [],
  confirmations: 1,
}

test('the trust anchors name the contract and those before it, each once', () => {
  const own = { chainId: 5, address: now, fromBlock: 70 }
  expect(contractsOf(chain)).toEqual([own])
  const formerContracts = [
    { contract: before, block: 3 },
    { contract: now, block: 0 },
  ]
  expect(contractsOf({ ...chain, formerContracts })).toEqual([own, { chainId: 5, address: before, fromBlock: 3 }])
})
