import type {
  ChangeOwnersInput,
  ChangeOwnersResult,
  OperatorRequest,
  ProofProgress,
  ProvisionWalletInput,
  ProvisionWalletResult,
  ResealWalletInput,
  SignDigestInput,
  SignDigestResult,
  SignMessageInput,
  taskQueues,
} from '@perigee/core/workflow'

/** What the API asks of Temporal. Every method throws ServiceError only. */
export interface TemporalClient {
  /** Makes the user's wallet unless it exists, and waits for it. Concurrent calls share one run. */
  provisionWallet(input: ProvisionWalletInput): Promise<ProvisionWalletResult>
  /** The same without waiting, for a sign-in that must not be slowed down. */
  startProvisioning(input: ProvisionWalletInput): Promise<void>
  /** Signs, or gives back the signature that exists already. A failed attempt does not stick. */
  signDigest(input: SignDigestInput): Promise<SignDigestResult>
  /** The same for a message. */
  signMessage(input: SignMessageInput): Promise<SignDigestResult>
  /** Gives a wallet other owners. Concurrent changes from the same record share one run, so compare the answer. */
  changeOwners(input: ChangeOwnersInput): Promise<ChangeOwnersResult>
  /** Seals a wallet's key under another version, without waiting: the old seal opens meanwhile. */
  startResealing(input: ResealWalletInput): Promise<void>
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
