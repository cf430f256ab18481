import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'

/** What a local stack must keep to itself. Made on the spot, readable by its owner only, never committed. */
export interface Secrets {
  databasePassword: string
  sessionSecret: string
  codecKey: string
  /** Deploys and owns the contract of the local chain. */
  contractOwnerKey: Hex
  publisherKey: Hex
}

/** Reads the secrets from a file, making them the first time. */
export async function keepSecrets(file: string): Promise<Secrets> {
  const known = await readFile(file, 'utf8').catch(() => undefined)
  if (known) return JSON.parse(known) as Secrets
  const secrets: Secrets = {
    databasePassword: randomBytes(24).toString('hex'),
    sessionSecret: randomBytes(32).toString('hex'),
    codecKey: randomBytes(32).toString('hex'),
    contractOwnerKey: generatePrivateKey(),
    publisherKey: generatePrivateKey(),
  }
  await mkdir(dirname(file), { recursive: true })
  // Written aside and renamed, so that a crash leaves either the whole file or none.
  await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  await rename(`${file}.new`, file)
  return secrets
}
