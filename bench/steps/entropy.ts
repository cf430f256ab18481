import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { toHex } from '@perigee/core'
import type { EntropySample } from '@perigee/core/entropy'
import { createEntropySupply } from '../../clients/entropy/supply/createEntropySupply.js'
import type { EntropySource } from '../../clients/entropy/EntropySource.js'
import { identityOf, makeSample, pinOf } from '../../dev/satellite/index.js'
import { openFresh } from '../../tests/harness/index.js'
import type { Figure } from '../measure/Figure.js'
import { medianFigure, timeInRounds } from '../measure/timing.js'
import { counted } from '../measure/counted.js'

/**
 * What a sample adds to a signature: taking one from a full supply, on a Postgres that flushes every commit to disk.
 * It is compared with one committed row, because the disk decides most of it.
 */
export async function entropy(): Promise<Figure[]> {
  const { database, close } = await openFresh()
  try {
    return await measureTakes(database)
  } finally {
    await close()
  }
}

async function measureTakes(database: DataSource): Promise<Figure[]> {
  const turns = { turns: counted(130), warmUp: 20 }
  const supplied = 4 * turns.turns + 100 // more than the rounds take
  const identity = identityOf(generateKeyPairSync('ed25519').privateKey)
  const supply = createEntropySupply({
    database,
    sources: [endlessSource(identity)],
    trust: { minimum: 'simulated', freshnessSeconds: 3600, keys: pinOf(identity) },
    log: { info: () => undefined, warn: () => undefined } as never,
    options: { target: supplied },
  })
  supply.start()
  while (supply.snapshot().level < supplied) await new Promise((resolve) => setTimeout(resolve, 50))
  await supply.stop() // full: taking is measured, not fetching
  await database.query(`CREATE TABLE bench_rows (id text PRIMARY KEY, body jsonb)`)
  const body = (): string => JSON.stringify({ random: toHex(randomBytes(200)) })
  const take = (i: number) => supply.take({ kind: 'sign', id: `wallet/${i}` })
  const rounds = await timeInRounds(turns, {
    'one committed row': (i) => database.query(`INSERT INTO bench_rows VALUES ($1, $2)`, [`${i}`, body()]),
    'take a sample from a full supply': take,
    'the same purpose again': take,
  })
  return [
    medianFigure(rounds, 'one committed row'),
    medianFigure(rounds, 'take a sample from a full supply', { against: 'one committed row', valueAtMost: 2 }),
    medianFigure(rounds, 'the same purpose again', { against: 'one committed row' }),
  ]
}

/** Signed samples without the network; the supply verifies and stores them like any other. */
function endlessSource(identity: ReturnType<typeof identityOf>): EntropySource {
  let sequence = 0n
  return {
    name: 'simulated-satellite',
    maxBatch: 100,
    limits: { requests: 1000, perSeconds: 1, samplesPerDay: null },
    fetch: async (count) =>
      Array.from({ length: count }, (): EntropySample => {
        const wire = makeSample(identity, () => ++sequence, Date.now())
        const received = { receivedAt: Math.floor(Date.now() / 1000), beacon: null }
        return { version: 1, source: 'simulated-satellite', provenance: 'simulated', ...wire, ...received }
      }),
  }
}
