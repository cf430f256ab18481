import { randomBytes } from 'node:crypto'

/** 144 bits: a proof is found only by those who were given its name. */
export const newSlug = (): string => randomBytes(18).toString('base64url')
