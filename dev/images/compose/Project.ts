import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../stack/binaries/run.js'
import { repositoryRoot } from '../../stack/components/program.js'

/** The members that we use of a Compose project, after Compose has merged its files and filled in variables and defaults. */
export interface Project {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean; ipam?: { config?: { subnet?: string }[] } }>
}

export interface Service {
  image: string
  build?: { target?: string; dockerfile?: string; args: { NODE_IMAGE: string; BUILD_ID?: string } }
  environment?: Record<string, string>
  volumes?: { type: 'bind' | 'volume'; source: string; target: string; read_only?: boolean }[]
  networks: Record<string, { ipv4_address?: string } | null>
  depends_on?: Record<string, object>
  ports?: { host_ip?: string; published: string; target: number }[]
  tmpfs?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
}

/** The networks that a service has joined. */
export const networksOf = ({ services }: Project, name: string) => Object.keys(services[name]?.networks ?? {})

/** Reads compose files with Compose's own parser: the engine's, or the library it is made of, built here with Go. */
export async function readProject(dir: string, files: string[], env: NodeJS.ProcessEnv): Promise<Project> {
  const ownEnv = { ...env, COMPOSE_PROJECT_NAME: 'perigee' }
  const named = files.flatMap((file) => ['--file', file])
  if (await run('docker', ['compose', 'version']).catch(() => '')) {
    const printed = await run('docker', ['compose', ...named, 'config', '--format', 'json'], { env: ownEnv })
    return JSON.parse(printed) as Project
  }
  const program = join(dir, 'compose')
  await mkdir(dir, { recursive: true })
  try {
    const cwd = join(repositoryRoot, 'dev/images/compose')
    await run('go', ['build', '-o', program, '.'], { cwd, timeoutMs: 600_000 })
  } catch (error) {
    throw new Error(`Compose's parser: neither docker compose nor Go is at hand (${(error as Error).message})`)
  }
  return JSON.parse(await run(program, files, { cwd: repositoryRoot, env: ownEnv })) as Project
}
