import { z } from 'zod'
import { hexOf } from '../../bytes/hexSchema.js'

/** Whom a coordinator's report names. In a file of its own, because the enclave needs nothing else of the receipts' schemas. */
export const coordinatorIdentity = z.strictObject({
  service: z.string().min(1).max(200),
  requestKey: hexOf(33),
  publishers: z.array(hexOf(20)).max(64),
})
