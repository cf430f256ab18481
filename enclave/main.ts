import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { toHex, type Hex } from '@perigee/core'
import { ConfigError } from '@perigee/core/config'
import type { EnclaveInfo } from '@perigee/core/enclave'
import type { EntropyTrust } from '@perigee/core/entropy'
import { policyHash } from '@perigee/core/policy'
import { createAdmission } from './authority/admission.js'
import { parseConfig, type EnclaveConfig } from './config.js'
import { createCoordinatorTrust } from './authority/coordinatorTrust.js'
import { createOperations } from './operations/operations.js'
import { limitQuotes, type Platform } from './platforms/Platform.js'
import { createEnclaveServer } from './server.js'

const log = (line: Record<string, string | number | boolean>) => console.log(JSON.stringify(line))

async function main(): Promise<void> {
  const config = parseConfig(process.env)
  const platform = limitQuotes(await openPlatform(config), config.quotes)
  const admission = createAdmission({ trust: await entropyTrust(config), capacity: config.rememberedRequests })
  const now = () => Math.floor(Date.now() / 1000)
  const { releases } = config.coordinators
  releases.onRefused(({ code, message }) => log({ refused: 'measurements.json', code, message }))
  const verifyAsker = createCoordinatorTrust({ ...config.coordinators, now })
  const info: EnclaveInfo = {
    platform: platform.name,
    bundleSha256: bundleHash(),
    policyHash: policyHash(config.policy),
    simulated: config.mode.simulated,
    sealingVersion: platform.sealingKeys.current,
  }
  const server = createEnclaveServer({
    ...config,
    log,
    operations: {
      'GET /info': async () => info,
      ...createOperations({ platform, admission, verifyAsker, policy: config.policy, now }),
    },
  })
  server.listen(config.port, config.host, () => {
    log({
      ...info,
      bundleSha256: info.bundleSha256 ?? 'not a bundle',
      release: releases.current(now()).version,
      listening: (server.address() as AddressInfo).port,
    })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close(() => process.exit(0))
      server.closeIdleConnections()
    })
  }
}

/** Loads only the platform in use, so that a measured image does not run the other one's code. */
async function openPlatform({ mode, dstackEndpoint, sealingVersions }: EnclaveConfig): Promise<Platform> {
  if (mode.simulated)
    return (await import('./platforms/simulatedPlatform.js')).openSimulatedPlatform(mode.simulationDir, sealingVersions)
  return (await import('./platforms/dstackPlatform.js')).openDstackPlatform(dstackEndpoint, sealingVersions)
}

async function entropyTrust({ trust: { beaconNames, ...trust } }: EnclaveConfig): Promise<EntropyTrust> {
  if (Object.keys(beaconNames).length === 0) return trust
  const { verifyBeacon } = await import('@perigee/core/entropyBeacon')
  return { ...trust, beacons: { names: beaconNames, verify: verifyBeacon } }
}

/** Hash of the running bundle, which a rebuild must reproduce; null when it runs from source. */
function bundleHash(): Hex | null {
  const file = fileURLToPath(import.meta.url)
  return file.endsWith('.ts') ? null : toHex(createHash('sha256').update(readFileSync(file)).digest())
}

main().catch((error: unknown) => {
  for (const problem of error instanceof ConfigError ? error.problems : [String(error)]) console.error(problem)
  process.exit(1)
})
