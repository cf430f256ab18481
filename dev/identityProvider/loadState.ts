import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { JWK } from 'oidc-provider'
import { keepJson } from '../keepFile.js'

/** Reads the provider's state from its data folder, making it the first time. */
export const loadState = (folder: string) => keepJson(join(folder, 'state.json'), createState)

/** What must outlive a restart: the signing key, the cookie keys and the client that the API signs in with. */
function createState() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = randomBytes(8).toString('hex')
  return {
    signingKey: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } as JWK,
    cookieKeys: [randomBytes(32).toString('hex')],
    client: { id: 'perigee', secret: randomBytes(32).toString('hex') },
  }
}

export type IdentityProviderState = ReturnType<typeof createState>
