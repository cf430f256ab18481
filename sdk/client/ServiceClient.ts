import type { PublicClient } from 'viem'
import type {
  AuthorisationMode,
  ProofPayload,
  ServiceClientConfig,
  SignOptions,
  SignRequest,
  SignResult,
} from '../types.js'
import { createApi, type ServiceApi } from './createApi.js'
import { createChainClient } from './createChainClient.js'
import { createOwners, type Owners } from './createOwners.js'
import { signAndSend } from './signAndSend.js'
import { waitForProof, type WaitForProofOptions } from './waitForProof.js'

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
  readonly #identityProvider: string
  #last: Promise<unknown> = Promise.resolve()

  constructor(config: ServiceClientConfig) {
    this.chainId = config.chainId
    this.apiBaseUrl = config.apiBaseUrl.replace(/\/+$/, '')
    this.#identityProvider = config.identityProvider ?? 'google'
    this.publicClient = createChainClient(config)
    this.api = createApi({
      baseUrl: this.apiBaseUrl,
      timeoutMs: config.timeoutMs ?? 15_000,
      fetch: config.fetch ?? ((input, init) => fetch(input, init)),
    })
    this.authorisation = config.authorisation ?? 'optional'
    this.owners = createOwners(this.api, this.authorisation, config.rpId)
  }

  /** Where sign-in starts. `returnTo` is where the browser comes back to; its origin must be on the allow-list. */
  loginUrl(returnTo?: string): string {
    const url = `${this.apiBaseUrl}/auth/${encodeURIComponent(this.#identityProvider)}`
    const query = new URLSearchParams(returnTo === undefined ? {} : { return_to: returnTo })
    if (this.authorisation === 'required') query.set('authorisation', 'required') // then sign-in makes no wallet
    return `${url}?${query}`.replace(/\?$/, '')
  }

  /**
   * Builds the transaction, has it signed, broadcasts it. Calls of one client run one after another, because two at
   * once would read the same nonce.
   */
  signAndSend(request: SignRequest, options: SignOptions = {}): Promise<SignResult> {
    const run = this.#last.then(() => signAndSend(this, request, options))
    this.#last = run.catch(() => undefined)
    return run
  }

  /** Polls until the proof of a signature is published, or has failed to be. */
  waitForProof(slug: string, options?: WaitForProofOptions): Promise<ProofPayload> {
    return waitForProof(this.api, slug, options)
  }
}
