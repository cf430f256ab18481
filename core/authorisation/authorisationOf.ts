import type { Authorisation, OwnedSince, PasskeyApproval } from './Authorisation.js'
import type { OwnersRecord } from './Owners.js'
import type { SignedStatement } from './Statement.js'

/** What a signing request shows about who asked. */
export interface AuthorisedRequest {
  statement: SignedStatement
  approval: PasskeyApproval | null
  owners: OwnersRecord | null
  since: OwnedSince | null
}

/** The receipt's member `authorisation`, as enclave and worker each compute it from the request. */
export function authorisationOf({ statement, approval, owners, since }: AuthorisedRequest): Authorisation {
  if (approval === null || owners === null || since === null) {
    return { level: 'coordinator-attested', statement, passkey: null }
  }
  const { credential, authenticatorData, clientDataJSON, signature, validUntil, salt } = approval
  return {
    level: 'passkey-verified',
    statement,
    passkey: { credential, authenticatorData, clientDataJSON, signature, validUntil, salt, since, owners },
  }
}
