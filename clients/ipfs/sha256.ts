import { createHash } from 'node:crypto'

/** Native, for receipts and bundles: a receipt is hashed twice on its way. */
export const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
