import { ServiceError } from '../errors/ServiceError.js'
import type {
  OwnersChange,
  ProofPayload,
  ServiceClientConfig,
  SessionUser,
  SignDigestRequest,
  SignDigestResult,
  SignMessageRequest,
  SignMessageResult,
  WalletInfo,
  WalletOwners,
} from '../types.js'
import { request, type Transport } from './request.js'

/** The routes of the service, one function each. All reject with `ServiceError`. */
export interface ServiceApi {
  /** The signed-in person; rejects with status 401 when nobody is. */
  me(signal?: AbortSignal): Promise<SessionUser>
  /** The person's wallet; rejects with status 404 when there is none. */
  getWallet(signal?: AbortSignal): Promise<WalletInfo>
  /** Makes the wallet, with these owners if any are given, or returns the one there is. */
  provisionWallet(signal?: AbortSignal, owners?: OwnersChange): Promise<WalletInfo>
  /** Who may authorise for the wallet. */
  getOwners(signal?: AbortSignal): Promise<WalletOwners>
  /** Replaces the wallet's owners, if they agree. */
  changeOwners(change: OwnersChange): Promise<WalletOwners>
  /** Has the enclave sign the digest of exactly this transaction. */
  signDigest(input: SignDigestRequest, signal?: AbortSignal): Promise<SignDigestResult>
  /** Has the enclave sign this message or typed data. */
  signMessage(input: SignMessageRequest, signal?: AbortSignal): Promise<SignMessageResult>
  /** Public: needs no session. */
  getProof(slug: string, signal?: AbortSignal): Promise<ProofPayload>
  /** Ends the session. */
  logout(): Promise<void>
}

const attempts = 3

export type ApiConfig = Pick<ServiceClientConfig, 'apiBaseUrl' | 'timeoutMs' | 'fetch'>

export function createApi(config: ApiConfig, credentials: RequestCredentials = 'include'): ServiceApi {
  const transport: Transport = {
    baseUrl: config.apiBaseUrl.replace(/\/+$/, ''),
    timeoutMs: config.timeoutMs ?? 15_000,
    fetch: config.fetch ?? ((input, init) => fetch(input, init)),
    credentials,
  }
  const get = async <T>(path: string, key: keyof T, signal?: AbortSignal, tries = attempts) =>
    withKey<T>(await request(transport, path, { signal, attempts: tries }), key)
  const post = async <T>(path: string, key: keyof T, body?: unknown, signal?: AbortSignal, tries = attempts) =>
    withKey<T>(await request(transport, path, { method: 'POST', body, signal, attempts: tries }), key)
  const sign = async <T extends SignDigestResult>(what: string, input: unknown, signal?: AbortSignal) => {
    const result = await post<T>(`/sign/${what}`, 'slug', input, signal)
    if (/^0x[0-9a-f]{130}$/i.test(result.signature)) return result
    throw new ServiceError('bad_response', 'The signature is not 65 bytes of hex.')
  }
  return {
    me: (signal) => get<SessionUser>('/auth/me', 'id', signal),
    getWallet: (signal) => get<WalletInfo>('/wallet/me', 'address', signal),
    // Safe to retry: the service makes one wallet per person.
    provisionWallet: (signal, owners) => post<WalletInfo>('/wallet/provision', 'address', owners, signal),
    getOwners: (signal) => get<WalletOwners>('/wallet/owners', 'ownersHash', signal),
    // Not retried: the caller finds out what became of it (passkeys/record.ts).
    changeOwners: (change) => post<WalletOwners>('/wallet/owners', 'ownersHash', change, undefined, 1),
    // Safe to retry: the same wallet and digest, or message and salt, get the same signature and slug.
    signDigest: (input, signal) => sign<SignDigestResult>('digest', input, signal),
    signMessage: (input, signal) => sign<SignMessageResult>('message', input, signal),
    getProof: (slug, signal) => get<ProofPayload>(`/proof/${encodeURIComponent(slug)}`, 'status', signal, 1),
    logout: async () => void (await request(transport, '/auth/logout', { method: 'POST' })),
  }
}

/** Refuses JSON that is not the service's, such as a proxy's. */
function withKey<T>(body: unknown, key: keyof T): T {
  if (typeof Object(body)[key] === 'string') return body as T
  throw new ServiceError('bad_response', `The answer has no "${String(key)}".`)
}
