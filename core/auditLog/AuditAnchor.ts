import { canonicalJson, type Hex } from '../bytes/index.js'

/** The last event of the audit log at some time. */
export interface AuditHead {
  sequence: number
  hash: Hex
  /** When the head was read, ISO 8601. */
  at: string
}

/** A head that the contract's log names, as the caller read it from a node that it trusts. */
export interface AuditAnchor extends Pick<AuditHead, 'sequence' | 'hash'> {
  cid: string
  blockNumber: number
  transactionHash: Hex
}

/** The document on IPFS that an anchor names. */
export function auditHeadDocument({ sequence, hash, at }: AuditHead): Uint8Array {
  return new TextEncoder().encode(canonicalJson({ version: 'perigee-audit-head/1', sequence, hash, at }))
}

/** The contract's event: the head of the audit log on that day. A test compares it with `contracts/abi`. */
export const auditLogAnchored = {
  type: 'event',
  name: 'AuditLogAnchored',
  inputs: [
    { name: 'sequence', type: 'uint64', indexed: true },
    { name: 'head', type: 'bytes32', indexed: false },
    { name: 'ipfsCid', type: 'string', indexed: false },
  ],
} as const
