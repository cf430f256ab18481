import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deployment } from './deployServiceAttestations.js'

/** Records where the contract is, one file per chain, and returns the file's path. */
export async function recordDeployment(folder: string, deployment: Deployment): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${deployment.chainId}.json`)
  await writeFile(file, `${JSON.stringify({ contract: 'ServiceAttestations', ...deployment }, null, 2)}\n`)
  return file
}
