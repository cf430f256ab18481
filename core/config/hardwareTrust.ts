import { fromHex, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { verifyRelease, type MeasurementRelease } from '../measurements/index.js'
import { vendorAnchors } from '../receipt/vendorAnchors.js'
import { parseAttestationMode, type AttestationMode } from './attestationMode.js'
import type { EnvReader } from './EnvReader.js'

/** The hardware roots and builds that a program trusts. Set by configuration alone, never by evidence. */
export interface HardwareTrust {
  mode: AttestationMode
  /** DER. */
  tdxRoot: Uint8Array
  snpRoots: Uint8Array[]
  release: MeasurementRelease
}

const noRelease: MeasurementRelease = {
  format: 'perigee-release/1',
  version: 1,
  issuedAt: '1970-01-01T00:00:00Z',
  enclaves: [],
  coordinators: [],
}

/**
 * Hardware: the vendors' own roots, which no variable can replace, and the release in `MEASUREMENTS_FILE`, signed by
 * `MEASUREMENTS_PUBLIC_KEY`. Simulation: all of it from the simulation folder.
 */
export function parseHardwareTrust(env: EnvReader, readFile: (path: string) => Uint8Array): HardwareTrust {
  const mode = parseAttestationMode(env)
  if (!mode.simulated) {
    const { tdxRoot, snpRoots } = vendorAnchors()
    const release = readRelease(env, readFile, env.text('MEASUREMENTS_FILE'), env.text('MEASUREMENTS_PUBLIC_KEY'))
    return { mode, tdxRoot: fromHex(tdxRoot), snpRoots: snpRoots.map((root) => fromHex(root)), release }
  }
  const file = (name: string) => `${mode.simulationDir}/${name}`
  const read = (name: string) => {
    try {
      return readFile(file(name))
    } catch {
      env.problem(`${file(name)} cannot be read; is SIMULATION_DIR right?`)
      return new Uint8Array(0)
    }
  }
  const publicKey = env.has('MEASUREMENTS_PUBLIC_KEY')
    ? env.text('MEASUREMENTS_PUBLIC_KEY')
    : new TextDecoder().decode(read('release/public-key')).trim()
  return {
    mode,
    tdxRoot: read('tdx/root.der'),
    snpRoots: [read('snp/ark.der')],
    release: readRelease(env, readFile, env.text('MEASUREMENTS_FILE', file('release/measurements.json')), publicKey),
  }
}

function readRelease(
  env: EnvReader,
  readFile: (path: string) => Uint8Array,
  path: string,
  publicKey: string,
): MeasurementRelease {
  if (path === '' || publicKey === '') return noRelease // already reported as missing
  try {
    return verifyRelease(readFile(path), publicKey as Hex)
  } catch (error) {
    env.problem(`measurements: ${error instanceof ServiceError ? error.message : 'the file cannot be read'}`)
    return noRelease
  }
}
