import { toHex } from '@perigee/core'
import { parseTrustAnchors, trustAnchorsBytes, trustAnchorsCid, type TrustAnchors } from '@perigee/core/receipt'
import { allContracts } from '../clients/chain/ChainConfig.js'
import type { WorkerConfig } from './config.js'

/** The trust anchors that this service verified with, as a document of its own: receipts name it, so that readers can compare it with theirs. */
export function trustAnchorsOf(config: Pick<WorkerConfig, 'trust' | 'quotePolicy' | 'entropy' | 'chain' | 'releases'>) {
  const { trust, quotePolicy, entropy, chain, releases } = config
  const { minimum, freshnessSeconds, keys, assertedSources, beaconNames } = entropy.trust
  const anchors = parseTrustAnchors({
    version: 'perigee-trust/1',
    simulated: trust.mode.simulated,
    tdxRoot: toHex(trust.tdxRoot),
    snpRoots: trust.snpRoots.map(toHex),
    releases: {
      publicKey: trust.releases.publicKey,
      contracts: [{ chainId: chain.chainId, address: releases.contract, fromBlock: releases.block }],
    },
    enclave: quotePolicy,
    coordinator: {},
    entropy: { minimum, freshnessSeconds, keys, ...(assertedSources && { assertedSources }), beacons: beaconNames },
    contracts: contractsOf(chain),
  })
  return { anchors, cid: trustAnchorsCid(anchors), bytes: trustAnchorsBytes(anchors) }
}

/** Also the former ones: receipts of theirs keep verifying, and a second receipt there is seen as a contradiction. */
export function contractsOf(chain: WorkerConfig['chain']): TrustAnchors['contracts'] {
  const { chainId } = chain
  return allContracts(chain).map(({ contract: address, block: fromBlock }) => ({ chainId, address, fromBlock }))
}
