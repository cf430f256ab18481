import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex, ServiceError, type Hex } from '@perigee/core'
import { parseAttestationMode, type AttestationMode, type EnvReader } from '@perigee/core/config'
import { verifyRelease, type MeasurementRelease } from '@perigee/core/measurements'
import { vendorAnchors } from '@perigee/core/receipt'

/** The hardware roots and builds that a program trusts. Set by configuration alone, never by evidence. */
export interface HardwareTrust {
  mode: AttestationMode
  /** DER. */
  tdxRoot: Uint8Array
  snpRoots: Uint8Array[]
  release: MeasurementRelease
}

const noRelease: MeasurementRelease = { version: 1, issuedAt: '1970-01-01T00:00:00Z', enclaves: [], coordinators: [] }

/**
 * Hardware: the vendors' own roots, which no variable can replace, and the release in `MEASUREMENTS_FILE`, signed by
 * `MEASUREMENTS_PUBLIC_KEY`. Simulation: all of it from the simulation folder.
 */
export function parseHardwareTrust(env: EnvReader): HardwareTrust {
  const mode = parseAttestationMode(env)
  if (!mode.simulated) {
    const { tdxRoot, snpRoots } = vendorAnchors()
    const release = readRelease(env, env.text('MEASUREMENTS_FILE'), env.text('MEASUREMENTS_PUBLIC_KEY'))
    return { mode, tdxRoot: fromHex(tdxRoot), snpRoots: snpRoots.map((root) => fromHex(root)), release }
  }
  const file = (name: string) => join(mode.simulationDir, name)
  const read = (name: string) => readOr(env, file(name))
  const publicKey = env.has('MEASUREMENTS_PUBLIC_KEY')
    ? env.text('MEASUREMENTS_PUBLIC_KEY')
    : read('release/public-key').toString('utf8').trim()
  return {
    mode,
    tdxRoot: read('tdx/root.der'),
    snpRoots: [read('snp/ark.der')],
    release: readRelease(env, env.text('MEASUREMENTS_FILE', file('release/measurements.json')), publicKey),
  }
}

function readRelease(env: EnvReader, path: string, publicKey: string): MeasurementRelease {
  if (path === '' || publicKey === '') return noRelease // already reported as missing
  try {
    return verifyRelease(JSON.parse(readFileSync(path, 'utf8')), publicKey as Hex)
  } catch (error) {
    env.problem(`measurements: ${error instanceof ServiceError ? error.message : 'the file cannot be read'}`)
    return noRelease
  }
}

function readOr(env: EnvReader, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    env.problem(`${path} cannot be read; is SIMULATION_DIR right?`)
    return Buffer.alloc(0)
  }
}
