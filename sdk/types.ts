import type {
  BirthProof,
  Hex,
  ProofPayload,
  ProofStatus,
  SessionUser,
  TransactionProof,
  TxMetadata,
  WalletInfo,
} from '@perigee/core'
import type {
  Intent,
  KnownCredential,
  OwnerCredential,
  OwnersApproval,
  OwnersRecord,
  PasskeyApproval,
  RecoveryApproval,
  WalletOwners,
} from '@perigee/core/authorisation'
import type { AttestationReceiptV1, BirthReceiptV1 } from '@perigee/core/receipt'

// The service's own types come from core; the build copies them, so the published package stands alone.
export type {
  AttestationReceiptV1,
  BirthProof,
  BirthReceiptV1,
  Hex,
  ProofPayload,
  ProofStatus,
  SessionUser,
  TransactionProof,
}
export type { TxMetadata, WalletInfo }
export type { Intent, KnownCredential, OwnerCredential, OwnersApproval, OwnersRecord }
export type { PasskeyApproval, RecoveryApproval, WalletOwners }

/**
 * Whether passkeys are used. `off`: never prompts, so a wallet with owners cannot sign here. `optional`: a wallet is made
 * without one, and prompts once it was given one. `required`: there is no wallet until `enrol` has made a passkey.
 */
export type AuthorisationMode = 'off' | 'optional' | 'required'

/** Configuration of a client. Only `apiBaseUrl` and `chainId` are required. */
export interface ServiceClientConfig {
  /** Origin of the service. Trailing slashes are stripped. */
  apiBaseUrl: string
  /** Chain that transactions are built for and broadcast to. */
  chainId: number
  /** Overrides the default public RPC of the chain. Needed for chains other than Sepolia and Base Sepolia. */
  rpcUrl?: string
  /** Name of the identity provider at the service: the last part of `/auth/<name>`. Default `google`. */
  identityProvider?: string
  /** Whether passkeys are used. Default `optional`. */
  authorisation?: AuthorisationMode
  /** Domain that passkeys belong to: the page's host, or a domain above it. Default the page's host. */
  rpId?: string
  /** How long to wait for one answer from the service. Default 15 seconds. */
  timeoutMs?: number
  /** Replaces `fetch` for requests to the service, for example to add a `Cookie` header in a script. */
  fetch?: typeof fetch
}

/** A transaction to sign and send. Nonce and fees are read from the chain and cannot be set. */
export interface SignRequest {
  /** Recipient. */
  to: Hex
  /** Wei as a bigint, or an amount of ether as a decimal string. Default 0. */
  value?: bigint | string
  /** Calldata. Default `0x`. */
  data?: Hex
  /** Gas limit. Default 21000, enough for a plain transfer only; `'estimate'` asks the RPC. */
  gas?: bigint | 'estimate'
}

/** A transaction on its way, and where its proof will be. */
export interface SignResult {
  txHash: Hex
  /** Opaque public name of the proof; it cannot be derived from `txHash`. */
  attestationSlug: string
}

/** Where a `signAndSend` stands. */
export type SignProgress =
  | { step: 'preparing' }
  | { step: 'authorising'; digest: Hex; transaction: TxMetadata }
  | { step: 'signing'; digest: Hex; transaction: TxMetadata }
  | { step: 'broadcasting'; txHash: Hex; attestationSlug: string }
  | { step: 'sent'; txHash: Hex; attestationSlug: string }

/** Optional second argument of `signAndSend`. A `WalletInfo` may be passed as it is. */
export interface SignOptions {
  /** The wallet's address; looked up at the service when absent. */
  address?: Hex
  /** Called at each step. */
  onProgress?: (progress: SignProgress) => void
  /**
   * Stops before the next step. What is signed stays signed: the receipt publishes it, and anyone can send it until its
   * nonce is used. The error says whether that may be the case.
   */
  signal?: AbortSignal
}

/** Body of `POST /sign/digest`. */
export interface SignDigestRequest {
  digest: Hex
  txMetadata: TxMetadata
  /** Needed where the wallet has owners: one of them approved exactly this digest. */
  authorisation?: PasskeyApproval
}

/** Answer of `POST /sign/digest`. */
export interface SignDigestResult {
  /** 65 bytes: r, s, v (27 or 28). */
  signature: Hex
  slug: string
}

/** Body of `POST /wallet/owners`, and of `POST /wallet/provision` with a passkey. */
export interface OwnersChange {
  owners: OwnersRecord
  approval: OwnersApproval
  credentials: { publicKey: Hex; id: string; label?: string }[]
}

/** Options of everything that prompts for a passkey. */
export interface PasskeyOptions {
  /** What the person calls the new device. */
  label?: string
  /** Takes the prompt away. */
  signal?: AbortSignal
}

/** Options of `enrol` and `recover`. */
export interface EnrolOptions extends PasskeyOptions {
  /** Make a recovery code too. Default true. Without one, the last passkey lost is the wallet lost. */
  recovery?: boolean
}

/** Who owns the wallet now, and the recovery code, which nobody can show again. */
export interface Enrolled {
  owners: WalletOwners
  /** Show it once and keep it nowhere. Null when none was asked for. */
  recoveryCode: string | null
}
