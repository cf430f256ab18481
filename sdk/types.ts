import type {
  BirthProof,
  Hex,
  MessageProof,
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
import type { Message, Opening, SignIn, TypedData, TypedDomain, TypedMember } from '@perigee/core/message'
import type { AttestationReceiptV1, BirthReceiptV1, MessageReceiptV1 } from '@perigee/core/receipt'

// The service's own types come from core; the build copies them, so the published package stands alone.
export type { AttestationReceiptV1, BirthProof, BirthReceiptV1, Hex, ProofPayload }
export type { MessageProof, ProofStatus, SessionUser, TransactionProof }
export type { MessageReceiptV1, TxMetadata, WalletInfo }
export type { Intent, KnownCredential, OwnerCredential, OwnersApproval, OwnersRecord }
export type { PasskeyApproval, RecoveryApproval, WalletOwners }
export type { Message, Opening, SignIn, TypedData, TypedDomain, TypedMember }

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
  /** Shown what is to be signed before every message and typed data. Default: nobody is asked. */
  confirm?: Confirm
  /** Replaces `fetch` for requests to the service, for example to add `Cookie` and `Origin` headers in a script. */
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
  /** Called at each step. What it throws is reported, and stops nothing. */
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

/** A text, or bytes as they are. */
export type SignableMessage = string | { raw: Hex | Uint8Array }

/** Typed data as viem, ethers and applications write it. Integers may be numbers, bigints or strings. */
export interface TypedDataInput {
  types: Record<string, readonly TypedMember[]>
  primaryType: string
  domain?: { [Member in keyof TypedDomain]?: TypedDomain[Member] | number | bigint | Uint8Array | undefined }
  message: Record<string, unknown>
}

/** Body of `POST /sign/message`. */
export type SignMessageRequest = Message & {
  /** 32 random bytes. The same request gives the same answer; another salt another receipt. */
  salt: Hex
  /** Needed where the wallet has owners: one of them approved exactly this message. */
  authorisation?: PasskeyApproval
}

/** A signature, the slug of its proof, and what opens its receipt, which shows neither message nor signature by itself. */
export interface SignMessageResult {
  /** 65 bytes: r, s, v (27 or 28). */
  signature: Hex
  slug: string
  /** Keep it to show later what was signed. Who has it has the signature. */
  opening: Opening
}

/** Where a `signMessage` or `signTypedData` stands. */
export type SignMessageProgress =
  | { step: 'confirming' | 'authorising' | 'signing'; view: MessageView }
  | { step: 'signed'; view: MessageView; slug: string }

/** Optional second argument of `signMessage` and `signTypedData`. */
export interface SignMessageOptions {
  /** The wallet's address; looked up at the service when absent. */
  address?: Hex
  /** Instead of the client's own `confirm`. */
  confirm?: Confirm
  /** Called at each step. What it throws is reported, and stops nothing. */
  onProgress?: (progress: SignMessageProgress) => void
  /** Stops before the next step. */
  signal?: AbortSignal
  /** 32 random bytes, to repeat an earlier request. Default: new ones. */
  salt?: Hex
}

/** Shows what is to be signed to the person. Anything but true declines, an error too. */
export type Confirm = (view: MessageView, signal?: AbortSignal) => boolean | Promise<boolean>

/** What is to be signed, decoded. The content is the caller's: show it as text, never as markup. */
export type MessageView =
  | { kind: 'message'; text: string | null; bytes: Hex; warnings: ViewWarning[] }
  | { kind: 'sign-in'; text: string; bytes: Hex; signIn: SignIn; warnings: ViewWarning[] }
  | {
      kind: 'typed-data'
      typedData: TypedData
      domain: TypedDomain
      primaryType: string
      tree: ViewNode[]
      /** What it is, where that is known: it then lets others take tokens. */
      known: KnownTypedData | null
      allowances: readonly Allowance[]
      warnings: ViewWarning[]
    }

/** EIP-2612, DAI's own form, Permit2's lasting allowances and its single transfers. */
export type KnownTypedData = 'permit' | 'dai-permit' | 'permit2-allowance' | 'permit2-transfer'

/** Tokens that others may take once this is signed. */
export interface Allowance {
  token: Hex | null
  spender: Hex
  /** In the token's smallest unit. */
  amount: string
  isUnlimited: boolean
  /** ISO time; null for never. */
  expires: string | null
}

/** One member of typed data: its value, or its members or items. */
export interface ViewNode {
  name: string
  type: string
  value: string | boolean | null
  children: ViewNode[]
}

/** What a person should know before signing. */
export interface ViewWarning {
  code:
    | 'not_text'
    | 'hidden_characters'
    | 'other_site'
    | 'other_chain'
    | 'any_chain'
    | 'expired'
    | 'not_yet_valid'
    | 'allowance_unlimited'
    | 'allowance_forever'
  message: string
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
  /** `enrol`: claim a wallet that was made without a passkey; it stays the weaker kind. Default true, but not with `required`. */
  claim?: boolean
}

/** Who owns the wallet now, and the recovery code, which nobody can show again. */
export interface Enrolled {
  owners: WalletOwners
  /** Show it once and keep it nowhere. Null when none was asked for. */
  recoveryCode: string | null
}
