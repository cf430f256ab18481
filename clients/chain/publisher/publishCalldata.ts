import { encodeFunctionData } from 'viem'
import type { Hex } from '@perigee/core'
import { serviceAttestationsAbi } from '../../../contracts/abi/ServiceAttestations.js'
import type { WaitingProof } from '../../../database/index.js'

/** One proof: `publish`. Several: `publishBatch`, a fraction of the gas each. */
export function publishCalldata(proofs: readonly WaitingProof[]): Hex {
  const [first] = proofs
  if (proofs.length === 1 && first) {
    const args = [first.wallet, first.txHash, first.cid] as const
    return encodeFunctionData({ abi: serviceAttestationsAbi, functionName: 'publish', args })
  }
  const args = [proofs.map(({ wallet, txHash, cid }) => ({ wallet, txHash, ipfsCid: cid }))] as const
  return encodeFunctionData({ abi: serviceAttestationsAbi, functionName: 'publishBatch', args })
}
