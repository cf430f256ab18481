import { randomBytes } from 'node:crypto'
import { generatePrivateKey } from 'viem/accounts'
import { keepJson } from '../../keepFile.js'

/** Reads the secrets from a file, making them the first time. */
export const keepSecrets = (file: string) => keepJson(file, createSecrets)

/** What a local stack must keep to itself. Made on the spot, readable by its owner only, never committed. */
const createSecrets = () => ({
  databasePassword: randomBytes(24).toString('hex'),
  sessionSecret: randomBytes(32).toString('hex'),
  codecKey: randomBytes(32).toString('hex'),
  /** Deploys and owns the contract of the local chain. */
  contractOwnerKey: generatePrivateKey(),
  publisherKey: generatePrivateKey(),
})

export type Secrets = ReturnType<typeof createSecrets>
