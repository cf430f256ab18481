import type { Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import type { TrustAnchors } from '../anchors/TrustAnchors.js'

/**
 * The contracts on a chain whose events count: the one that the reader names, or each that the anchors name. A receipt names
 * one too, but only one that the reader expects counts. `madeIn`: its block, as far as the anchors say; otherwise 0.
 */
export function expectedContracts(
  chainId: number,
  { anchors, contract }: { anchors: TrustAnchors; contract?: Hex | undefined },
) {
  const known = anchors.contracts
    .filter((one) => one.chainId === chainId)
    .map(({ address, fromBlock = 0 }) => ({ contract: address, madeIn: fromBlock }))
  const named = contract?.toLowerCase() as Hex | undefined
  if (named) return [known.find((one) => one.contract === named) ?? { contract: named, madeIn: 0 }]
  if (known.length > 0) return known
  throw new ServiceError('evidence_missing', `the trust anchors name no contract on chain ${chainId}`, { chainId })
}
