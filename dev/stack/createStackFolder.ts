import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removePostgresData } from './components/placePostgres.js'

export type StackFolder = Awaited<ReturnType<typeof createStackFolder>>

/** A temporary folder for a stack whose data does not matter afterwards. */
export async function createStackFolder(name: string) {
  const folder = await mkdtemp(join(tmpdir(), `perigee-${name}-`))
  await chmod(folder, 0o755) // Postgres may have to run as another user
  const dir = join(folder, '.perigee')
  await mkdir(dir)
  return {
    folder,
    /** `.perigee` below it: the stack's own. */
    dir,
    /** Once the stack has stopped. */
    async remove(): Promise<void> {
      await removePostgresData(join(dir, 'postgres'))
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
    },
  }
}
