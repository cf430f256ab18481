import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createRsaKeys, type SnpRsaKeys } from '../../simulation/testing/index.js'

/** RSA-4096 takes seconds to make, so the test keys are kept in the cache folder. They guard nothing. */
export async function testRsaKeys(): Promise<SnpRsaKeys> {
  const folder = fileURLToPath(new URL('../../../node_modules/.cache/perigee', import.meta.url))
  const file = `${folder}/test-rsa-keys.json`
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept) return JSON.parse(kept) as SnpRsaKeys
  const keys = await createRsaKeys()
  await mkdir(folder, { recursive: true })
  await writeFile(file, JSON.stringify(keys), { mode: 0o600 })
  return keys
}
