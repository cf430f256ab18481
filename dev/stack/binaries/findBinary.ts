import { access, constants, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Progress } from '../progress.js'
import { run } from './run.js'

/** One way to get a program that is not on this machine; it leaves the program at `target` or throws. */
export interface Fetch {
  doing: string
  /** Absent where this way does not exist for our platform. */
  into?: (scratch: string, target: string) => Promise<void>
}

export interface BinarySpec {
  title: string
  version: string
  oldest: string
  command: string
  variable: string
  versionArgs: string[]
  howToInstall: string
  fetches: Fetch[]
}

/** Nothing on this machine, and nothing could be fetched. The message is one line that says what to do. */
export class BinaryMissing extends Error {}

/** Finds a program: named by its variable, on PATH, in the user's cache, or fetched into that cache. */
export async function findBinary(spec: BinarySpec, env: NodeJS.ProcessEnv, progress: Progress): Promise<string> {
  const named = env[spec.variable]
  if (named) {
    if (await versionOf(spec, named)) return named
    throw new BinaryMissing(`${spec.variable} is ${named}, which does not run as ${spec.title}.`)
  }
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const candidate = join(folder, spec.command)
    if (!(await isExecutable(candidate))) continue
    const version = await versionOf(spec, candidate)
    if (version && !isOlder(version, spec.oldest)) return candidate
  }
  const cached = join(cacheFolder(env), `${spec.command}-${spec.version}`)
  if ((await isExecutable(cached)) && (await versionOf(spec, cached))) return cached
  return fetchInto(cached, spec, progress)
}

async function fetchInto(target: string, spec: BinarySpec, progress: Progress): Promise<string> {
  const failures: string[] = []
  const folder = join(target, '..')
  await mkdir(folder, { recursive: true })
  for (const { doing, into } of spec.fetches) {
    if (!into) continue
    // A scratch folder beside the target, so that the finished program arrives by one rename, whoever else is fetching.
    const scratch = await mkdtemp(join(folder, 'fetch-'))
    try {
      await progress.step(`${spec.title} ${spec.version}: ${doing}`, () => into(scratch, target), {
        quietFailure: true,
      })
      if (await versionOf(spec, target)) return target
      failures.push(`${doing}: the program does not run here`)
    } catch (error) {
      failures.push(`${doing}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }
  const tried = failures.length > 0 ? failures.join('; ') : 'no way to fetch it on this platform'
  throw new BinaryMissing(
    `${spec.title} ${spec.version} is not here and could not be fetched (${tried}). ${spec.howToInstall}, put \`${spec.command}\` on PATH or name it with ${spec.variable}.`,
  )
}

/** Where fetched programs are kept, so that a second clone finds them. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'perigee')
}

async function versionOf(spec: BinarySpec, file: string): Promise<string | undefined> {
  const printed = await run(file, spec.versionArgs).catch(() => '')
  return /\d+\.\d+\.\d+/.exec(printed)?.[0]
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

function isOlder(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, 'en', { numeric: true }) < 0
}
