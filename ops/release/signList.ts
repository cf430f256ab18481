import { ed25519 } from '@noble/curves/ed25519'
import { ServiceError, toHex } from '@perigee/core'
import { parseSchema } from '@perigee/core/errors'
import { releaseFile, releaseSchema, signRelease, type MeasurementRelease } from '@perigee/core/measurements'
import type { OpsConfig } from '../config.js'
import type { Outcome } from '../Outcome.js'
import { readJson, readReleaseKey, replaceList } from './listFiles.js'

export interface SignOptions {
  key: string
  out: string
}

/** Signs a list with the release key. Needs no chain, so it can be done on a machine without a network. */
export async function signList(config: OpsConfig, path: string, { key, out }: SignOptions): Promise<Outcome> {
  const release = parseSchema<MeasurementRelease>(releaseSchema, readJson(path), 'release_invalid', path)
  const privateKey = readReleaseKey(key)
  const publicKey = toHex(ed25519.getPublicKey(privateKey))
  const expected = config.releaseKey()
  if (expected !== null && expected !== publicKey) {
    const facts = { publicKey, expected }
    throw new ServiceError('release_signature', 'this key is not the release key (MEASUREMENTS_PUBLIC_KEY)', facts)
  }
  replaceList(out, releaseFile(signRelease(release, privateKey)))
  const { version } = release
  return { lines: [`list ${version} signed by ${publicKey}, written to ${out}`], json: { version, publicKey, file: out }, exitCode: 0 } // prettier-ignore
}
