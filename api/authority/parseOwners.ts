import { z } from 'zod'
import { ServiceError } from '@perigee/core'
import {
  ownersApprovalSchema,
  parseOwners,
  passkeyApprovalSchema,
  type OwnersApproval,
  type PasskeyApproval,
} from '@perigee/core/authorisation'
import { parseWith } from '../http/parseWith.js'
import { credentialsSchema } from '../schemas.js'

const envelope = z.strictObject({ owners: z.unknown(), approval: z.unknown(), credentials: credentialsSchema })

/** Takes anything; throws `invalid_request`, `owners_invalid` or `authorisation_invalid`. */
export function parseNewOwners(body: unknown) {
  const { owners, approval, credentials } = parseWith(envelope, body)
  if (owners === undefined) throw new ServiceError('invalid_request', 'owners: missing')
  return {
    owners: parseOwners(owners),
    approval: parseWith(ownersApprovalSchema, approval, 'authorisation_invalid') as OwnersApproval,
    credentials,
  }
}

/** New owners as a request brings them. */
export type OwnersBody = ReturnType<typeof parseNewOwners>

/** Takes anything, nothing included; throws `authorisation_invalid`. */
export function parsePasskeyApproval(input: unknown): PasskeyApproval | null {
  if (input === undefined || input === null) return null
  return parseWith(passkeyApprovalSchema, input, 'authorisation_invalid') as PasskeyApproval
}
