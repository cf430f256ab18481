import { ServiceError, useService } from '@perigee/sdk'
import type { ReactNode } from 'react'
import { ErrorNote } from './ErrorNote.js'

const otherPerson = 'Somebody else has signed in, perhaps in another tab.'

/** For the person with the wallet: the error's own words speak to those who build applications. */
const words: Record<string, { title?: string; remedy: string }> = {
  not_signed_in: { title: 'You are signed out.', remedy: 'Perhaps you signed out in another tab.' },
  account_changed: { remedy: otherPerson },
  wallet_not_found: { title: 'The person who is signed in now has no wallet.', remedy: otherPerson },
  rpc_error: { remedy: 'Nothing was signed. The chain’s node does not answer, or refuses this transaction.' },
}

type Way = [label: string, go: () => void]

/** Why an action of the wallet failed, with the way on where this page has one. */
export function WalletError({ error, children }: { error: unknown; children?: ReactNode }) {
  const { login, refresh } = useService()
  const code = error instanceof ServiceError ? error.code : ''
  const show: Way = ['Show who is signed in', () => void refresh().catch(() => undefined)]
  const ways: Record<string, Way> = {
    not_signed_in: ['Sign in again', login],
    account_changed: show,
    wallet_not_found: show,
  }
  const way = Object.hasOwn(ways, code) ? ways[code] : undefined
  const { title, remedy } = Object.hasOwn(words, code) ? (words[code] ?? {}) : {}
  return (
    <ErrorNote error={error} title={title} remedy={remedy}>
      {children}
      {way && (
        <button type="button" className="button quiet" onClick={way[1]}>
          {way[0]}
        </button>
      )}
    </ErrorNote>
  )
}
