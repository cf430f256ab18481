import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { toHex, type Hex } from '@perigee/core'
import type { EnvReader } from '@perigee/core/config'
import type { CoordinatorIdentity, CoordinatorOptions } from './createCoordinatorAttestor.js'
import { openSimulatedSnp } from './openSimulatedSnp.js'
import { openTsmPlatform } from './openTsmPlatform.js'
import type { HardwareTrust } from '../parseHardwareTrust.js'

/** Settings of the coordinator's attestation; `open` touches the platform, so call it after `env.finish()`. */
export interface CoordinatorConfig {
  open(): CoordinatorOptions
}

/** `publishers`: addresses that publish receipts; `PUBLISHER_ADDRESSES` for programs that hold no publishing key. */
export function parseCoordinatorConfig(
  env: EnvReader,
  trust: HardwareTrust,
  publishers?: readonly Hex[],
): CoordinatorConfig {
  const identity: CoordinatorIdentity = {
    service: env.url('PUBLIC_API_URL', ['https:', 'http:']),
    channelKeySha256: channelKeySha256(env),
    publishers: [...(publishers ?? parseAddresses(env))].map((address) => address.toLowerCase() as Hex).sort(),
  }
  const maxAgeSeconds = env.integer('COORDINATOR_REPORT_MAX_AGE_SECONDS', { min: 10, max: 86_400 }, 3600)
  const { mode, snpRoots, release } = trust
  if (mode.simulated) {
    return {
      open: () => ({
        identity,
        release,
        maxAgeSeconds,
        roots: snpRoots,
        allowDevelopmentRoot: true,
        platform: openSimulatedSnp(mode.simulationDir),
      }),
    }
  }
  const dir = env.text('TSM_REPORT_DIR', '/sys/kernel/config/tsm/report')
  const vmpl = env.has('SNP_VMPL') ? env.integer('SNP_VMPL', { min: 0, max: 3 }) : undefined
  const file = (name: string) => (env.has(name) ? env.file(name, (path) => readFileSync(path)) : undefined)
  const [vek, intermediate] = [file('SNP_VEK_FILE'), file('SNP_INTERMEDIATE_FILE')]
  return {
    open: () => ({
      identity,
      release,
      maxAgeSeconds,
      roots: snpRoots,
      allowDevelopmentRoot: false,
      platform: openTsmPlatform({ dir, ...(vmpl !== undefined && { privlevel: vmpl }) }),
      policy: vmpl === undefined ? {} : { vmpl },
      certificates: { ...(vek && { vek }), ...(intermediate && { intermediate }) },
    }),
  }
}

/** SHA-256 of the public key in the coordinator's certificate for the enclave's channel. */
function channelKeySha256(env: EnvReader): Hex {
  return env.file('ENCLAVE_CLIENT_CERT', (path) => {
    const { publicKey } = new X509Certificate(readFileSync(path))
    const spki = publicKey.export({ type: 'spki', format: 'der' })
    return toHex(createHash('sha256').update(spki).digest())
  })
}

function parseAddresses(env: EnvReader): Hex[] {
  const addresses = env.list('PUBLISHER_ADDRESSES')
  if (!addresses.every((address) => /^0x[0-9a-fA-F]{40}$/.test(address))) {
    env.problem('PUBLISHER_ADDRESSES must be a list of addresses')
  }
  return addresses as Hex[]
}
