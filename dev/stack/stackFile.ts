import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'viem'
import { replaceFile } from '../keepFile.js'
import type { ServerAddresses } from './servers.js'

/** What `.perigee/stack.json` says while a stack is ready, for scripts and for people. */
export interface StackFile extends ServerAddresses {
  apiUrl: string
  webUrl: string
  contractAddress: Address
  /** The contract that announces lists of builds. */
  releasesAddress: Address
  identityProvider: 'dev'
  /** The process that started and restarts the others. */
  supervisor: number
  processes: Record<string, number>
}

/** Keeps the file current; writes come one after another. */
export function createStackFile(dir: string) {
  const file = join(dir, 'stack.json')
  let last = Promise.resolve()
  const next = (work: () => Promise<void>) => (last = last.then(work))
  return {
    path: file,
    write: (content: StackFile) => next(() => replaceFile(file, `${JSON.stringify(content, null, 2)}\n`, 0o600)),
    remove: () => next(() => rm(file, { force: true })),
  }
}
