import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseConfig } from '../../../workers/config.js'
import { trustAnchorsOf } from '../../../workers/trustAnchors.js'

/** Writes whom this stack believes, so that `npm run verify` beside it can check its simulated receipts. */
export async function writeTrustAnchors(dir: string, workerEnv: NodeJS.ProcessEnv): Promise<void> {
  await writeFile(join(dir, 'trust-anchors.json'), trustAnchorsOf(parseConfig(workerEnv)).bytes)
}
