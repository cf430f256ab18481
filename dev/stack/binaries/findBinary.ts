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

/** Looks for a program on this machine: named by its variable, on PATH, in the user's cache. */
export async function lookForBinary(spec: BinarySpec, env: NodeJS.ProcessEnv): Promise<string | undefined> {
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
  const cached = cachedPath(spec, env)
  return (await isExecutable(cached)) && (await versionOf(spec, cached)) ? cached : undefined
}

/** Finds a program on this machine, or fetches it into the user's cache. */
export async function findBinary(spec: BinarySpec, env: NodeJS.ProcessEnv, progress: Progress): Promise<string> {
  return (await lookForBinary(spec, env)) ?? fetchInto(cachedPath(spec, env), spec, progress)
}

async function fetchInto(target: string, spec: BinarySpec, progress: Progress): Promise<string> {
  const failures: string[] = []
  const folder = join(target, '..')
  await mkdir(folder, { recursive: true })
  for (const { doing, into } of spec.fetches) {
    if (!into) continue
    // A scratch folder beside the target, so the finished program arrives by one rename even if another process is fetching it too.
    const scratch = await mkdtemp(join(folder, 'fetch-'))
    try {
      const step = `${spec.title} ${spec.version}: ${doing}`
      await progress.step(step, () => into(scratch, target), { quietFailure: true })
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

/** Where a fetched program is kept, so that a second clone finds it. */
function cachedPath({ command, version }: BinarySpec, env: NodeJS.ProcessEnv): string {
  const cache = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache')
  return join(cache, 'perigee', `${command}-${version}`)
}

async function versionOf(spec: BinarySpec, file: string): Promise<string | undefined> {
  const printed = await run(file, spec.versionArgs).catch(() => '')
  return /\d+\.\d+\.\d+/.exec(printed)?.[0]
}

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )

const isOlder = (version: string, oldest: string) => version.localeCompare(oldest, 'en', { numeric: true }) < 0
