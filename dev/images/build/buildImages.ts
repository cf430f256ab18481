import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../stack/binaries/run.js'
import { repositoryRoot } from '../../stack/components/program.js'
import type { Progress } from '../../stack/progress.js'
import type { Project } from '../compose/Project.js'
import type { Buildah } from './Buildah.js'

export interface BuildOptions {
  dir: string
  base: string
  /** Authorities of a mirror that intercepts TLS (PEM), and npm's settings for it. For the build alone. */
  ca?: string
  npmrc?: string
}

/** Where the Dockerfiles mount the two while packages are installed; no image may hold either. */
export const buildOnlyFiles = { ca: '/run/ca.pem', npmrc: '/run/npmrc' }

/** Builds every image that the compose file builds. */
export async function buildImages(buildah: Buildah, project: Project, options: BuildOptions, progress: Progress) {
  const secrets = await secretsOf(options)
  const context = await copySources(join(options.dir, 'context'))
  for (const [name, { build, image }] of Object.entries(project.services)) {
    if (!build) continue
    const target = build.target ? ['--target', build.target] : []
    const file = ['--file', join(context, build.dockerfile ?? 'Dockerfile')]
    // The docker format keeps HEALTHCHECK, which OCI's does not have.
    const buildId = build.args.BUILD_ID ? ['--build-arg', `BUILD_ID=${build.args.BUILD_ID}`] : []
    const format = ['--format', 'docker', '--layers', '--pull-never', '--build-arg', `NODE_IMAGE=${options.base}`]
    await progress.step(`image ${image}`, () =>
      buildah.runLogged(
        `build-${name}`,
        'build',
        ...format,
        ...buildId,
        ...secrets,
        ...target,
        ...file,
        '--tag',
        image,
        context,
      ),
    )
  }
}

/** A copy of what git knows or would add, so that all images are built from one state of the sources. */
async function copySources(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = (await run('git', list, { cwd: repositoryRoot })).split('\0')
  for (const path of paths) {
    const source = join(repositoryRoot, path)
    if (path && existsSync(source)) await cp(source, join(folder, path))
  }
  return folder
}

async function secretsOf({ dir, ca, npmrc }: BuildOptions): Promise<string[]> {
  const lines = [npmrc ? await readFile(npmrc, 'utf8') : '', ca ? `cafile=${buildOnlyFiles.ca}` : '']
  const ownNpmrc = join(dir, 'npmrc')
  await writeFile(ownNpmrc, `${lines.join('\n').trim()}\n`, { mode: 0o600 })
  return ['--secret', `id=npmrc,src=${ownNpmrc}`, ...(ca ? ['--secret', `id=ca,src=${ca}`] : [])]
}
