import { createSecretKey, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createQuotingEnclave, parseTdxQuoteKeys, simulatedBootLog } from '@perigee/core/simulation'
import type { Platform } from './Platform.js'

/** Software instead of TDX: real quotes under a development root. Anyone who can read the folder can forge them. */
export function openSimulatedPlatform(simulationDir: string, versions: readonly number[] = [1]): Platform {
  const keys = parseTdxQuoteKeys(JSON.parse(readFileSync(join(simulationDir, 'tdx', 'quote-keys.json'), 'utf8')))
  const dir = join(simulationDir, 'enclave')
  const quoteOf = createQuotingEnclave(keys)
  return {
    name: 'simulated',
    sealingKeys: {
      current: versions[0] ?? 1,
      byVersion: new Map(versions.map((version) => [version, createSecretKey(readOrCreateSealingKey(dir, version))])),
    },
    quote: async (reportData) => ({
      quote: `0x${Buffer.from(quoteOf({ reportData })).toString('hex')}`,
      runtimeEvents: simulatedBootLog,
    }),
  }
}

/** Hardware keeps such a key; here it is in a file, created once. `link` fails if another enclave was first; its key is used then. */
function readOrCreateSealingKey(dir: string, version: number): Buffer {
  const file = join(dir, `sealing-key-v${version}`)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  try {
    return parseSealingKey(readFileSync(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(32), { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return parseSealingKey(readFileSync(file))
}

function parseSealingKey(bytes: Buffer): Buffer {
  if (bytes.length !== 32) throw new Error('the simulated sealing key is not 32 bytes')
  return bytes
}
