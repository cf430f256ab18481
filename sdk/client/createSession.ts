import { toServiceError, type ServiceError } from '../errors/ServiceError.js'
import type { SessionUser, WalletInfo, WalletOwners } from '../types.js'
import type { ServiceClient } from './ServiceClient.js'

/** Who is signed in, as far as this page knows. */
export interface SessionState {
  user: SessionUser | null
  wallet: WalletInfo | null
  owners: WalletOwners | null
  ready: boolean
  /** Why the last fetch cycle failed, or the sign-in that led to this page. */
  error: ServiceError | null
}

/** Holds the state behind the provider; plain TypeScript, so that it can be tested and read without React. */
export interface Session {
  readonly client: ServiceClient
  get(): SessionState
  subscribe(listener: () => void): () => void
  /** Runs the first cycle; returns a function that stops it. */
  start(): () => void
  refresh(): Promise<void>
  login(): void
  logout(): Promise<void>
}

const signedOut = { user: null, wallet: null, owners: null }
const initial: SessionState = { ...signedOut, ready: false, error: null }

export function createSession(client: ServiceClient): Session {
  let state = initial
  let signInError: ServiceError | null = null
  let running: { controller: AbortController; done: Promise<void> } | undefined
  const listeners = new Set<() => void>()

  function set(patch: Partial<SessionState>): void {
    state = { ...state, ...patch }
    for (const listener of listeners) listener()
  }

  function stop(): void {
    running?.controller.abort()
    running = undefined
  }

  /** A new cycle replaces a running one, whose callers then wait for the new one. */
  function lookUp(): Promise<void> {
    stop()
    const controller = new AbortController()
    const { signal } = controller
    const done = orWhen(401, cycle(signal), () => signedOut).then(
      (result) => (signal.aborted ? running?.done : set({ ...result, ready: true, error: signInError })),
      (error: unknown) => {
        if (signal.aborted) return running?.done
        set({ ready: true, error: toServiceError(error) })
        throw error
      },
    )
    running = { controller, done }
    return done
  }

  function refresh(): Promise<void> {
    signInError = null // shown until now
    return lookUp()
  }

  async function cycle(signal: AbortSignal): Promise<Pick<SessionState, 'user' | 'wallet' | 'owners'>> {
    const user = await client.api.me(signal)
    // Show the person at once, but never the wallet of the person before.
    if (!signal.aborted) set({ user, ...(state.user?.id !== user.id && { wallet: null, owners: null }) })
    const { api, authorisation } = client
    const required = authorisation === 'required' // then a wallet without a passkey does not count
    const wallet = await orWhen(404, api.getWallet(signal), () => (required ? null : api.provisionWallet(signal)))
    if (!wallet || authorisation === 'off') return { user, wallet, owners: null }
    // Nothing waits for the owners where a passkey is optional.
    if (!required && !signal.aborted) set({ wallet, ready: true, error: signInError })
    const owners = await client.owners.read(signal)
    return { user, wallet: required && !owners.owners ? null : wallet, owners }
  }

  client.owners.onChange = async (owners) => {
    set({ owners })
    if (!state.wallet) await refresh()
  }

  return {
    client,
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {
      signInError ??= client.takeSignInError()
      lookUp().catch(() => undefined) // kept in state.error
      return stop
    },
    refresh,
    login: () => window.location.assign(client.loginUrl(window.location.href)),
    async logout() {
      try {
        await client.api.logout()
      } finally {
        signInError = null
        stop() // an answer still in flight must not sign the person in again
        set({ ...initial, ready: true })
      }
    },
  }
}

async function orWhen<T, U>(status: number, promise: Promise<T>, instead: () => U): Promise<T | Awaited<U>> {
  try {
    return await promise
  } catch (error) {
    if ((error as ServiceError).status === status) return await instead()
    throw error
  }
}
