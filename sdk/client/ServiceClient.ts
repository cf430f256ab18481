import type { PublicClient } from 'viem'
import { toServiceError, type ServiceError } from '../errors/ServiceError.js'
import type {
  AuthorisationMode,
  Confirm,
  ProofPayload,
  ServiceClientConfig,
  SignableMessage,
  SignMessageOptions,
  SignMessageResult,
  SignOptions,
  SignRequest,
  SignResult,
  TypedDataInput,
} from '../types.js'
import { createApi, type ServiceApi } from './createApi.js'
import { createChainClient } from './createChainClient.js'
import { createOwners, type Owners } from './createOwners.js'
import { takeSignInError, withoutSignInError } from './signInError.js'
import { waitForProof, type WaitForProofOptions } from './proof/waitForProof.js'

/** The imperative client. It holds no key and no state but its configuration. Needs no React. */
export class ServiceClient {
  readonly chainId: number
  /** Origin of the service, without trailing slashes. */
  readonly apiBaseUrl: string
  /** The routes of the service. */
  readonly api: ServiceApi
  /** A viem client on the configured chain. */
  readonly publicClient: PublicClient
  /** Whether passkeys are used. */
  readonly authorisation: AuthorisationMode
  /** The wallet's passkeys. */
  readonly owners: Owners
  /** Shown what is to be signed before every message and typed data. */
  confirm: Confirm | undefined
  readonly #config: ServiceClientConfig
  #last: Promise<unknown> = Promise.resolve()

  constructor(config: ServiceClientConfig) {
    this.chainId = config.chainId
    this.apiBaseUrl = config.apiBaseUrl.replace(/\/+$/, '')
    this.#config = config
    this.publicClient = createChainClient(config)
    this.api = createApi(config)
    this.authorisation = config.authorisation ?? 'optional'
    this.confirm = config.confirm
    this.owners = createOwners(this.api, this.authorisation, config.rpId)
  }

  /** Where sign-in starts. `returnTo` is where the browser comes back to; its origin must be on the allow-list. */
  loginUrl(returnTo?: string): string {
    const url = `${this.apiBaseUrl}/auth/${encodeURIComponent(this.#config.identityProvider ?? 'google')}`
    const query = new URLSearchParams(returnTo === undefined ? {} : { return_to: withoutSignInError(returnTo) })
    if (this.authorisation === 'required') query.set('authorisation', 'required') // then sign-in makes no wallet
    return `${url}?${query}`.replace(/\?$/, '')
  }

  /** Why the sign-in that led to this page failed, or null. It is taken out of the address, so ask once. */
  takeSignInError(): ServiceError | null {
    return takeSignInError()
  }

  /** The same wallet on another chain. */
  onChain(chainId: number, rpcUrl?: string): ServiceClient {
    const { rpcUrl: _own, ...config } = this.#config
    return new ServiceClient({ ...config, chainId, ...(rpcUrl !== undefined && { rpcUrl }) })
  }

  /** Builds, signs and broadcasts a transaction. Calls run one after another: two at once would read the same nonce. */
  signAndSend(request: SignRequest, options: SignOptions = {}): Promise<SignResult> {
    const run = this.#last.then(async () => {
      const { signAndSend } = await loaded(import('./signing/signAndSend.js'))
      return signAndSend(this, request, options)
    })
    this.#last = run.catch(() => undefined)
    return run
  }

  /** Has a text or bytes signed (EIP-191, `personal_sign`). `confirm` sees it first. */
  async signMessage(message: SignableMessage, options: SignMessageOptions = {}): Promise<SignMessageResult> {
    const { signMessage } = await loaded(import('../messages/signMessage.js'))
    return signMessage(this, message, options)
  }

  /** Has typed data signed (EIP-712, `eth_signTypedData_v4`), given as an object or as JSON. `confirm` sees it first. */
  async signTypedData(
    typedData: TypedDataInput | string,
    options: SignMessageOptions = {},
  ): Promise<SignMessageResult> {
    const { signTypedData } = await loaded(import('../messages/signMessage.js'))
    return signTypedData(this, typedData, options)
  }

  /** Polls until the proof of a signature is published, or has failed to be. */
  waitForProof(slug: string, options?: WaitForProofOptions): Promise<ProofPayload> {
    return waitForProof(this.api, slug, options)
  }
}

/** Code that is loaded when it is first needed: apps that never need it never load it. */
function loaded<T>(module: Promise<T>): Promise<T> {
  return module.catch((error: unknown) => {
    throw toServiceError(error, 'network_error')
  })
}
