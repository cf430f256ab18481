import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributePair } from '@temporalio/common'
import type { ProofStatus } from '@perigee/core/proof'
import type { PublishReceiptInput } from '@perigee/core/workflow'

/** Plain text on the server: hashes, CIDs and states only. */
export const proofStatusKey = defineSearchAttributeKey('ProofStatus', SearchAttributeType.KEYWORD)
export const cidKey = defineSearchAttributeKey('Cid', SearchAttributeType.KEYWORD)
export const failureTypeKey = defineSearchAttributeKey('FailureType', SearchAttributeType.KEYWORD)
const kindKey = defineSearchAttributeKey('ProofKind', SearchAttributeType.KEYWORD)
const walletKey = defineSearchAttributeKey('Wallet', SearchAttributeType.KEYWORD)
const slugKey = defineSearchAttributeKey('ProofSlug', SearchAttributeType.KEYWORD)
const txHashKey = defineSearchAttributeKey('TxHash', SearchAttributeType.KEYWORD)
const chainIdKey = defineSearchAttributeKey('ChainId', SearchAttributeType.INT)

/** Attributes a publication starts with. */
export function proofAttributes({ kind, slug, txHash, wallet, chainId }: PublishReceiptInput): SearchAttributePair[] {
  return [
    { key: proofStatusKey, value: 'pending_pin' satisfies ProofStatus },
    { key: kindKey, value: kind },
    { key: walletKey, value: wallet },
    { key: slugKey, value: slug },
    { key: txHashKey, value: txHash },
    { key: chainIdKey, value: chainId },
  ]
}
