import { readFileSync } from 'node:fs'
import type { Hex } from '@perigee/core'
import type { EnvReader, HardwareTrust } from '@perigee/core/config'
import type { CoordinatorOptions } from './createCoordinatorAttestor.js'
import { openSimulatedSnp } from './openSimulatedSnp.js'
import { openTsmPlatform } from './openTsmPlatform.js'

/** Settings of the coordinator's attestation; `open` touches the platform, so call it after `env.finish()`. */
export interface CoordinatorConfig {
  releases: HardwareTrust['releases']
  /** `requestKey`: public half of the key that signs this process's statements. */
  open(requestKey: Hex): CoordinatorOptions
}

/** Of the API: the only program that attests itself. */
export function parseCoordinatorConfig(env: EnvReader, trust: HardwareTrust): CoordinatorConfig {
  const service = env.url('PUBLIC_API_URL', ['https:', 'http:'])
  const publishers = parseAddresses(env).sort()
  // A report is used for this long and believed for twice as long, a day at most: every statement, which lives for ten
  // minutes at most, ends before its report does.
  const maxAgeSeconds = env.integer('COORDINATOR_REPORT_MAX_AGE_SECONDS', { min: 600, max: 43_200 }, 3600)
  const { mode, snpRoots: roots, releases } = trust
  const common = (requestKey: Hex) => {
    const identity = { service, requestKey, publishers }
    return { identity, releases, maxAgeSeconds, roots, allowDevelopmentRoot: mode.simulated }
  }
  if (mode.simulated) {
    const open = (requestKey: Hex) => ({ ...common(requestKey), platform: openSimulatedSnp(mode.simulationDir) })
    return { releases, open }
  }
  const dir = env.text('TSM_REPORT_DIR', '/sys/kernel/config/tsm/report')
  const vmpl = env.has('SNP_VMPL') ? env.integer('SNP_VMPL', { min: 0, max: 3 }) : undefined
  const file = (name: string) => (env.has(name) ? env.file(name, (path) => readFileSync(path)) : undefined)
  const [vek, intermediate] = [file('SNP_VEK_FILE'), file('SNP_INTERMEDIATE_FILE')]
  return {
    releases,
    open: (requestKey) => ({
      ...common(requestKey),
      platform: openTsmPlatform({ dir, ...(vmpl !== undefined && { privlevel: vmpl }) }),
      certificates: { ...(vek && { vek }), ...(intermediate && { intermediate }) },
    }),
  }
}

function parseAddresses(env: EnvReader): Hex[] {
  const addresses = env.list('PUBLISHER_ADDRESSES')
  if (!addresses.every((address) => /^0x[0-9a-fA-F]{40}$/.test(address))) {
    env.problem('PUBLISHER_ADDRESSES must be a list of addresses')
  }
  return addresses.map((address) => address.toLowerCase() as Hex)
}
