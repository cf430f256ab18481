import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { signIn } from '../../dev/signIn.js'
import { openPerson } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { startApiBeside } from '../../dev/stack/programs/startBeside.js'

const reportMemory = fileURLToPath(new URL('./reportMemory.mjs', import.meta.url))

export interface Memory {
  rssMb: number
  heapMb: number
}

/** An API process beside the stack's, with the default rate limits unless `env` says otherwise. */
export async function openApi(stack: BenchStack, env: Record<string, string> = {}) {
  const execArgv = ['--expose-gc', '--import', reportMemory]
  const { url, pid, child, close } = await startApiBeside(stack, { RATE_LIMITS: '', SHARES_FILE: '', ...env }, execArgv)
  return {
    url,
    pid,
    close,

    /** After garbage collection, unless told not to: what remains is what is kept. */
    async memory(collect = true): Promise<Memory> {
      child.send(collect ? 'collect' : 'look')
      const [memory] = (await once(child, 'message')) as [Memory]
      return memory
    },

    signIn: (email: string) => signIn(stack.file.apiUrl, email, `${stack.file.webUrl}/`, url),
    newPerson: () => openPerson(stack, { url, database: stack.database }),
  }
}

export type MeasuredApi = Awaited<ReturnType<typeof openApi>>
