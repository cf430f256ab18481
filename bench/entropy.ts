import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataSource } from 'typeorm'
import { toHex, type EntropySample } from '@perigee/core'
import { createEntropySupply, type EntropySource } from '../activities/entropy/index.js'
import { openDatabase } from '../database/index.js'
import { identityOf, makeSample, pinOf } from '../dev/satellite/index.js'
import { createPostgres, databaseUrl } from '../dev/stack/components/postgres.js'
import { removePostgresData } from '../dev/stack/components/placePostgres.js'
import { freePort } from '../dev/stack/processes/freePort.js'
import { openLeash } from '../dev/stack/processes/Leash.js'
import { startComponent } from '../dev/stack/processes/startComponent.js'
import { compare, measureInTurn, type BenchmarkRow } from './Benchmark.js'

const takes = 400

/**
 * What a sample adds to a signature: taking one from a full supply, on a Postgres that flushes every commit to disk.
 * Beside it the least that any durable record costs here, one committed row, because the disk decides most of it.
 */
export async function entropy(): Promise<BenchmarkRow[]> {
  const postgres = await startPostgres()
  try {
    const database = await openDatabase({ url: postgres.url })
    try {
      return await measureTakes(database)
    } finally {
      await database.destroy()
    }
  } finally {
    await postgres.stop()
  }
}

async function measureTakes(database: DataSource): Promise<BenchmarkRow[]> {
  const identity = identityOf(generateKeyPairSync('ed25519').privateKey)
  const supply = createEntropySupply({
    database,
    sources: [endlessSource(identity)],
    trust: { minimum: 'simulated', freshnessSeconds: 3600, keys: pinOf(identity) },
    log: { info: () => undefined, warn: () => undefined } as never,
    options: { target: takes * 3 },
  })
  supply.start()
  while (supply.snapshot().level < takes * 3) await new Promise((resolve) => setTimeout(resolve, 50))
  await supply.stop() // full: what is measured is the taking, not the fetching
  await database.query(`CREATE TABLE bench_rows (id text PRIMARY KEY, body jsonb)`)
  const body = (): string => JSON.stringify({ random: toHex(randomBytes(200)) })
  const take = (i: number) => supply.take({ kind: 'sign', id: `wallet/${i}` })
  const [row, taken, again] = await measureInTurn(takes, {
    'one committed row': (i) => database.query(`INSERT INTO bench_rows VALUES ($1, $2)`, [`${i}`, body()]),
    'take a sample from a full supply': take,
    'the same purpose again': take,
  })
  if (!row || !taken || !again) throw new Error('nothing was measured')
  return [row, { ...compare(taken, row), atMostMs: 2 }, again]
}

/** Truly signed samples without the network: the supply verifies and stores them as any other. */
function endlessSource(identity: ReturnType<typeof identityOf>): EntropySource {
  let sequence = 0n
  return {
    ...{ name: 'simulated-satellite', best: 'simulated', maxBatch: 100 },
    limits: { requests: 1000, perSeconds: 1, samplesPerDay: null },
    fetch: async (count) =>
      Array.from({ length: count }, (): EntropySample => {
        const wire = makeSample(identity, () => ++sequence, Date.now())
        const received = { receivedAt: Math.floor(Date.now() / 1000), beacon: null }
        return { version: 1, source: 'simulated-satellite', provenance: 'simulated', ...wire, ...received }
      }),
  }
}

async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'perigee-bench-'))
  await chmod(dir, 0o755) // Postgres may have to run as another user
  const leash = openLeash()
  const password = randomBytes(16).toString('hex')
  const port = await freePort()
  const stop = async (): Promise<void> => {
    await leash.close()
    await removePostgresData(join(dir, 'postgres'))
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  try {
    const options = { dir, durable: true, env: process.env, port, variable: 'PORT', password, database: 'bench' }
    await startComponent(createPostgres(options), leash, join(dir, 'logs'))
    return { url: databaseUrl({ port, password }, 'bench'), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
