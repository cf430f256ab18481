import { fromHex, ServiceError } from '@perigee/core'
import { reportData } from '@perigee/core/binding'
import type { EnclaveEvidence } from '@perigee/core/enclave'
import type { SealingKeys } from '../keys/sealing.js'

export type QuoteEvidence = Omit<EnclaveEvidence, 'platform'>

/** The hardware under the enclave, or its simulation. */
export interface Platform {
  readonly name: 'dstack' | 'simulated'
  readonly sealingKeys: SealingKeys
  /** A quote whose REPORTDATA is exactly these 64 bytes. */
  quote(reportData: Uint8Array): Promise<QuoteEvidence>
}

/** Evidence of what is bound, as every answer carries it. */
export async function prove(platform: Platform, binding: Uint8Array): Promise<EnclaveEvidence> {
  return { platform: platform.name, ...(await platform.quote(fromHex(reportData(binding)))) }
}

export interface QuoteLimits {
  /** Real machines fail near a hundred at once. */
  concurrent: number
  queued: number
}

/** Runs at most `concurrent` tasks; others wait in order; with `queued` waiting, it refuses with `enclave_busy`. */
export function createQueue({ concurrent, queued }: QuoteLimits) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (running >= concurrent) {
      if (waiting.length >= queued) throw new ServiceError('enclave_busy', 'too many quotes are waiting; try again')
      await new Promise<void>((start) => waiting.push(start)) // a task that ends starts the next one in its place
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** The platform with its number of quotes bounded. */
export function limitQuotes(platform: Platform, limits: QuoteLimits): Platform {
  const enqueue = createQueue(limits)
  return {
    name: platform.name,
    get sealingKeys() {
      return platform.sealingKeys
    },
    quote: (reportData) => enqueue(() => platform.quote(reportData)),
  }
}
