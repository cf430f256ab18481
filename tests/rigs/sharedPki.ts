import { cp, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSimulationPki } from '../../dev/pki/index.js'

/** The folder of the development PKI that test processes share: its RSA keys take seconds to make. */
export async function sharedPki(): Promise<string> {
  const dir = join(tmpdir(), 'perigee-test-simulation-2')
  await mkdir(dir, { recursive: true })
  await createSimulationPki(dir)
  return dir
}

/** Puts a copy into a folder, where `createSimulationPki` finds it. */
export async function copyPki(dir: string): Promise<void> {
  const shared = await sharedPki()
  for (const part of ['tdx', 'snp']) await cp(join(shared, part), join(dir, part), { recursive: true })
}
