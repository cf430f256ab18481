import { fromHex, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { createReleaseKeeper, type ReleaseKeeper } from '../measurements/index.js'
import { vendorAnchors } from '../receipt/anchors/vendorAnchors.js'
import type { EnvReader } from './EnvReader.js'

/** Real hardware, or the simulated platforms with the folder that holds their development PKI. */
export type AttestationMode = { simulated: false } | { simulated: true; simulationDir: string }

/** The hardware roots and builds that a program trusts. Set by configuration alone, never by evidence. */
export interface HardwareTrust {
  mode: AttestationMode
  /** DER. */
  tdxRoot: Uint8Array
  snpRoots: Uint8Array[]
  /** The published builds, from the list in use. */
  releases: ReleaseKeeper
}

type ReadFile = (path: string) => Uint8Array

/**
 * Hardware: the vendors' own roots, which no variable can replace, and the list in `MEASUREMENTS_FILE`, signed by
 * `MEASUREMENTS_PUBLIC_KEY` and not older than `MEASUREMENTS_MINIMUM_VERSION`. Simulation: all of it from the simulation
 * folder.
 */
export function parseHardwareTrust(env: EnvReader, readFile: ReadFile): HardwareTrust {
  const mode = parseAttestationMode(env)
  if (!mode.simulated) {
    const { tdxRoot, snpRoots } = vendorAnchors()
    const releases = openReleases(env, readFile, env.text('MEASUREMENTS_FILE'), env.text('MEASUREMENTS_PUBLIC_KEY'))
    return { mode, tdxRoot: fromHex(tdxRoot), snpRoots: snpRoots.map((root) => fromHex(root)), releases }
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
    releases: openReleases(env, readFile, env.text('MEASUREMENTS_FILE', file('release/measurements.json')), publicKey),
  }
}

/**
 * `MOCK_ATTESTATION=true` selects the simulated platforms. In production that needs a second, explicit variable, so
 * that a forgotten development setting cannot produce a deployment that only looks attested.
 */
export function parseAttestationMode(env: EnvReader): AttestationMode {
  const simulated = env.flag('MOCK_ATTESTATION')
  const declared = env.flag('PERIGEE_SIMULATED_DEPLOYMENT')
  if (!simulated) return { simulated: false }
  if (env.text('NODE_ENV', 'development') === 'production' && !declared) {
    env.problem(
      'MOCK_ATTESTATION=true is refused in production, unless PERIGEE_SIMULATED_DEPLOYMENT=true says that this deployment is a simulation',
    )
  }
  return { simulated: true, simulationDir: env.text('SIMULATION_DIR') }
}

function openReleases(env: EnvReader, readFile: ReadFile, path: string, publicKey: string): ReleaseKeeper {
  const minimumVersion = env.integer('MEASUREMENTS_MINIMUM_VERSION', { min: 1, max: 1e9 }, 1)
  try {
    if (path !== '' && publicKey !== '') {
      return createReleaseKeeper({ read: () => readFile(path), publicKey: publicKey as Hex, minimumVersion })
    }
  } catch (error) {
    const reason = error instanceof ServiceError ? `${error.message} (${error.code})` : 'the file cannot be read'
    env.problem(`measurements: ${reason}`)
  }
  return undefined as never // never used: a problem is reported, so `finish` throws
}
