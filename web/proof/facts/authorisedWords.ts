import type { AttestationReceiptV1 } from '@perigee/sdk'

type Authorisation = AttestationReceiptV1['authorisation']

/** Who authorised a signature and how that was checked, in one sentence. `verified`: this browser has checked it too. */
export function authorisedWords(
  { passkey }: Authorisation,
  verified: boolean,
  what: 'transaction' | 'message' = 'transaction',
): string {
  const again = (what: string) => (verified ? `, and your browser has now checked ${what} again` : '')
  if (!passkey) {
    return `The service’s attested coordinator asked for it in the name of the signed-in user, without a passkey; the enclave checked the coordinator’s hardware report and statement before it signed${again('both')}.`
  }
  return `The holder of a passkey on ${originOf(passkey.clientDataJSON)} approved exactly this ${what}; the enclave checked the passkey’s signature before it signed${again('it')}.${weaker(passkey)}`
}

/** Why the passkey of an upgraded wallet proves less. */
function weaker({ since }: NonNullable<Authorisation['passkey']>): string {
  if (since === 'creation') return ''
  return ' The wallet was made without a passkey and got one later, so an older copy of its sealed key could be used without one.'
}

/** The page on which the passkey was used. The verifier checks that it is one of the owner's. */
function originOf(clientDataJSON: string): string {
  try {
    const { origin } = JSON.parse(clientDataJSON) as { origin?: unknown }
    return typeof origin === 'string' ? origin : 'an unknown page'
  } catch {
    return 'an unknown page'
  }
}
