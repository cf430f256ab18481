import { ServiceError, toServiceError } from '../errors/ServiceError.js'
import type {
  AuthorisationMode,
  Enrolled,
  EnrolOptions,
  Hex,
  Intent,
  PasskeyOptions,
  SignDigestRequest,
  WalletOwners,
} from '../types.js'
import type { ServiceApi } from './createApi.js'

/** The wallet's passkeys. The code for them is loaded when it is first needed. */
export interface Owners {
  /** Who may authorise for the wallet; rejects with status 404 when there is no wallet. */
  read(signal?: AbortSignal): Promise<WalletOwners>
  /** The same, or null where no passkey is needed to sign. Rejects unless the service would sign with this wallet. */
  find(address: Hex, signal?: AbortSignal): Promise<WalletOwners | null>
  /** Prompts for one of the wallet's passkeys, which then agrees to exactly this. Null: nobody needs to. */
  approve(
    wallet: WalletOwners | null,
    chainId: number,
    digest: Hex,
    signal?: AbortSignal,
    kind?: Intent['kind'],
  ): Promise<Pick<SignDigestRequest, 'authorisation'>>
  /** Makes a passkey and, with it, the wallet. A wallet that was there without owners is claimed instead, if `claim` allows. */
  enrol(options?: EnrolOptions): Promise<Enrolled>
  /** Adds a passkey: the new one and an old one sign. */
  addDevice(options?: PasskeyOptions): Promise<WalletOwners>
  /** Removes a passkey, named by its public key: one that stays must agree. */
  removeDevice(publicKey: Hex, options?: PasskeyOptions): Promise<WalletOwners>
  /** Gives the wallet a recovery code; an earlier one then no longer works. */
  addRecovery(options?: PasskeyOptions): Promise<Enrolled>
  /** With the recovery code: a new passkey takes the place of all earlier ones. */
  recover(code: string, options?: Omit<EnrolOptions, 'claim'>): Promise<Enrolled>
  /** Called after each change, and awaited. The change is stored by then, so an error of this function is ignored. */
  onChange?: (owners: WalletOwners) => Promise<void>
}

export function createOwners(api: ServiceApi, mode: AuthorisationMode, rpId?: string): Owners {
  /** Calls a function of `passkeys`, with the page it is about. */
  const call =
    (name: Exclude<keyof Owners, 'read' | 'find' | 'onChange'>) =>
    async (...args: unknown[]): Promise<never> => {
      try {
        const passkeys = await import('../passkeys/index.js')
        const opened = passkeys.open({ api, mode, onChange: owners.onChange }, rpId)
        return await (passkeys[name] as (...all: unknown[]) => Promise<never>)(opened, ...args)
      } catch (error) {
        throw toServiceError(error, 'network_error') // it could not be loaded, unless the error says otherwise
      }
    }

  const owners: Owners = {
    read: api.getOwners,
    async find(address, signal) {
      const wallet = await (mode === 'off' ? api.getWallet(signal) : api.getOwners(signal))
      // The session is a cookie that all tabs share: another person may have signed in in one of them.
      if (String(wallet.address).toLowerCase() !== address.toLowerCase()) {
        const message = `The signed-in person’s wallet is ${wallet.address}, not ${address}.`
        throw new ServiceError('account_changed', message)
      }
      if ('owners' in wallet && wallet.owners) return wallet
      if (mode !== 'required') return null
      throw new ServiceError('authorisation_required', 'This wallet has no passkey yet.')
    },
    approve: async (wallet, ...what) => (wallet ? { authorisation: await call('approve')(wallet, ...what) } : {}),
    enrol: call('enrol'),
    addDevice: call('addDevice'),
    removeDevice: call('removeDevice'),
    addRecovery: call('addRecovery'),
    recover: call('recover'),
  }
  return owners
}
