import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOrbitport } from '../../clients/entropy/testing/startOrbitport.js'
import { freePort } from '../../dev/stack/processes/freePort.js'
import type { Progress } from '../../dev/stack/progress.js'
import { startStack } from '../../dev/stack/startStack.js'
import { createBalancer, type Balancer } from '../network/createBalancer.js'
import { sizedRateLimits, sizedShares } from './sizedShares.js'

export interface AttackStackOptions {
  folder: string
  apis: number
  workers: number
  progress: Progress
  env: NodeJS.ProcessEnv
  samplesPerDay: number
}

/**
 * What `npm start` starts, with several APIs and workers, limits and shares of a small machine, and a satellite that gives
 * few samples a day. Clients reach the API processes directly, so that each address is seen as it is and nothing but the
 * service takes time; the balancer serves sign-ins, whose redirects need one address.
 */
export async function startAttackStack({ folder, samplesPerDay, ...options }: AttackStackOptions) {
  const satellite = await startOrbitport()
  const sharesFile = join(folder, 'shares.json')
  writeFileSync(sharesFile, JSON.stringify(sizedShares))
  let balancer: Balancer | undefined
  let apiPorts: number[] = []
  const close = async () => {
    await balancer?.close()
    await satellite.close()
  }
  try {
    const stack = await startStack({
      dir: join(folder, '.perigee'),
      ports: 'free',
      progress: options.progress,
      env: {
        ...process.env,
        TEMPORAL_ADDRESS: '',
        RATE_LIMITS: sizedRateLimits,
        SHARES_FILE: sharesFile,
        ENTROPY_SOURCES: 'orbitport',
        ENTROPY_ASSERTED_SOURCES: 'orbitport',
        ORBITPORT_URL: satellite.url,
        ORBITPORT_TOKEN: satellite.issue(),
        ORBITPORT_SAMPLES_PER_DAY: String(samplesPerDay),
        ...options.env,
      },
      async arrange(ports) {
        apiPorts = await Promise.all(Array.from({ length: options.apis }, freePort))
        balancer = await createBalancer(apiPorts, ports.api)
        return { apiPorts, workers: options.workers, envOf: () => ({}) }
      },
    })
    return {
      stack,
      apiUrls: apiPorts.map((port) => `http://127.0.0.1:${port}`),
      async stop() {
        await stack.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
