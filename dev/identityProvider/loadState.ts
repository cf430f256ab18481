import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JWK } from 'oidc-provider'

/** What must outlive a restart: the signing key, the cookie keys and the client that the API signs in with. */
export interface IdentityProviderState {
  signingKey: JWK
  cookieKeys: string[]
  client: { id: string; secret: string }
}

/** Reads the provider's state from its data folder, making it the first time. */
export async function loadState(folder: string): Promise<IdentityProviderState> {
  const file = join(folder, 'state.json')
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known) return JSON.parse(known) as IdentityProviderState
  const state = createState()
  await mkdir(folder, { recursive: true })
  // Written aside and renamed, so that a crash leaves either the whole file or none.
  await writeFile(`${file}.new`, JSON.stringify(state, null, 2), { mode: 0o600 })
  await rename(`${file}.new`, file)
  return state
}

function createState(): IdentityProviderState {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = randomBytes(8).toString('hex')
  return {
    signingKey: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } as JWK,
    cookieKeys: [randomBytes(32).toString('hex')],
    client: { id: 'perigee', secret: randomBytes(32).toString('hex') },
  }
}
