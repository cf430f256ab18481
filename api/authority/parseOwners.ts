import { z } from 'zod'
import { ServiceError } from '@perigee/core'
import {
  ownersApprovalSchema,
  parseOwners,
  passkeyApprovalSchema,
  type OwnersApproval,
  type OwnersRecord,
  type PasskeyApproval,
} from '@perigee/core/authorisation'
import { parseWith } from '../http/parseWith.js'
import { credentialsSchema, type GivenCredential } from '../schemas.js'

/** New owners as a request brings them. */
export interface OwnersBody {
  owners: OwnersRecord
  approval: OwnersApproval
  credentials: GivenCredential[]
}

const envelope = z.strictObject({ owners: z.unknown(), approval: z.unknown(), credentials: credentialsSchema })

/** Takes anything; throws `invalid_request`, `owners_invalid` or `authorisation_invalid`. */
export function parseNewOwners(body: unknown): OwnersBody {
  const { owners, approval, credentials } = parseWith(envelope, body)
  if (owners === undefined) throw new ServiceError('invalid_request', 'owners: missing')
  return {
    owners: parseOwners(owners),
    approval: parseWith(ownersApprovalSchema, approval, 'authorisation_invalid') as OwnersApproval,
    credentials,
  }
}

/** Takes anything, nothing included; throws `authorisation_invalid`. */
export function parsePasskeyApproval(input: unknown): PasskeyApproval | null {
  if (input === undefined || input === null) return null
  return parseWith(passkeyApprovalSchema, input, 'authorisation_invalid') as PasskeyApproval
}
