import type { Hex, TxMetadata } from '@perigee/core'
import type {
  OperatorRequest,
  ProofProgress,
  ProvisionWalletResult,
  SignDigestResult,
  taskQueues,
} from '@perigee/core/workflow'

export interface SignDigestCall {
  walletId: string
  digest: Hex
  transaction: TxMetadata
  /** Milliseconds since 1970. Default: `signTimeoutMs` from now. */
  expiresAtMs?: number
}

/** What the API asks of Temporal. Every method throws ServiceError only. */
export interface TemporalClient {
  /** Makes the user's wallet unless it exists, and waits for it. Concurrent calls share one run. */
  provisionWallet(userId: string): Promise<ProvisionWalletResult>
  /** The same without waiting, for a sign-in that must not be slowed down. */
  startProvisioning(userId: string): Promise<void>
  /** Signs, or gives back the signature that exists already. A failed attempt does not stick. */
  signDigest(call: SignDigestCall): Promise<SignDigestResult>
  /** What the workflow says about a proof; null when no workflow or no worker answers within the deadline. */
  queryProof(slug: string, deadlineMs?: number): Promise<ProofProgress | null>
  /** Operator: tries a failed publication again, from the step that failed. */
  retryPublish(slug: string, request: OperatorRequest): Promise<void>
  /** Operator: gives a failed publication up. */
  abandonPublish(slug: string, request: OperatorRequest): Promise<void>
  /** Throws `service_unavailable` unless the server answers. For readiness. */
  check(): Promise<void>
  /** Throws `service_unavailable` unless a worker asked this queue for work within the last minute. For readiness. */
  checkPollers(queue: keyof typeof taskQueues): Promise<void>
  close(): Promise<void>
}
