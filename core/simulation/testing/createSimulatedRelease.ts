import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519'
import { canonicalJson, fromHex, toHex, type Hex } from '../../index.js'
import { releaseFile, signRelease, verifyRelease, type MeasurementRelease } from '../../measurements/index.js'
import { simulatedBuilds } from './simulatedBuilds.js'

/**
 * `release/measurements.json` below the simulation folder: the simulated builds, signed by a development release key that is
 * created on first use. Programs read it exactly like a real release.
 */
export function createSimulatedRelease(simulationDir: string): { file: string; publicKey: Hex } {
  const dir = join(simulationDir, 'release')
  const keyFile = join(dir, 'private-key')
  const file = join(dir, 'measurements.json')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (!existsSync(keyFile)) writeFileSync(keyFile, toHex(randomBytes(32)), { mode: 0o600 })
  const privateKey = fromHex(readFileSync(keyFile, 'utf8').trim(), 32)
  const publicKey = toHex(ed25519.getPublicKey(privateKey))
  const known = readKnown(file, publicKey)
  if (known && isCurrent(known)) return { file, publicKey }
  writeFileSync(join(dir, 'public-key'), publicKey)
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, releaseFile(signRelease(simulatedRelease(new Date(), (known?.version ?? 0) + 1), privateKey)))
  renameSync(draft, file)
  return { file, publicKey }
}

/** The list that a simulated stack uses. */
export function simulatedRelease(issuedAt: Date, version = 1): MeasurementRelease {
  return { ...simulatedBuilds, version, issuedAt: issuedAt.toISOString() }
}

function readKnown(file: string, publicKey: Hex): MeasurementRelease | undefined {
  try {
    return verifyRelease(readFileSync(file), publicKey)
  } catch {
    return undefined
  }
}

/** A list of another commit's builds is followed by the next version, because the old one may have been announced. */
function isCurrent(known: MeasurementRelease): boolean {
  return canonicalJson(known) === canonicalJson(simulatedRelease(new Date(known.issuedAt), known.version))
}
