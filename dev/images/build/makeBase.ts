import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../stack/binaries/run.js'
import type { Progress } from '../../stack/progress.js'
import { runToFile, type Buildah } from './Buildah.js'

/** Of Node 22.20. It installs packages in the build stage and is in no program's way. */
const npmVersion = '10.9.3'

const entrypoint = `#!/bin/sh
set -e
if [ "\${1#-}" != "$1" ] || [ -z "$(command -v "$1")" ]; then set -- node "$@"; fi
exec "$@"
`

export interface BaseOptions {
  /** As compose names it: node:22.20.0-bookworm-slim. */
  image: string
  dir: string
  /** Make it here without asking the registry. */
  local: boolean
  debianMirror?: string | undefined
}

/** The base image from its registry; where that cannot be reached, one with the same contents made here. Returns its name. */
export async function makeBase(buildah: Buildah, options: BaseOptions, progress: Progress): Promise<string> {
  const official = `docker.io/library/${options.image}`
  const own = `localhost/perigee-${options.image}`
  if (!options.local) {
    const pull = () => buildah.run('pull', '--retry=0', official)
    const pulled = await progress.step(`pulling ${official}`, pull, { quietFailure: true }).catch(() => undefined)
    if (pulled !== undefined) return official
    progress.say('  the registry cannot be reached; the base image is made here')
  }
  if (await buildah.run('images', '--quiet', own).catch(() => '')) return own
  await progress.step(`base image (${options.image}, made here)`, () => makeLocally(buildah, own, options))
  return own
}

async function makeLocally(buildah: Buildah, name: string, { image, dir, debianMirror }: BaseOptions): Promise<void> {
  const [, nodeVersion, suite] = /^node:(\d+\.\d+\.\d+)-([a-z]+)-slim$/.exec(image) ?? []
  if (!nodeVersion || !suite) throw new Error(`${image} is not node:<version>-<Debian release>-slim`)
  const rootfs = join(dir, `rootfs-${suite}`)
  if (!existsSync(rootfs)) {
    const scratch = `${rootfs}.partial`
    await rm(scratch, { recursive: true, force: true })
    const args = ['--variant=minbase', suite, scratch, ...(debianMirror ? [debianMirror] : [])]
    await runToFile(join(dir, 'logs/debootstrap.log'), 'debootstrap', args, process.env)
    for (const folder of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
      await rm(join(scratch, folder), { recursive: true, force: true })
      await mkdir(join(scratch, folder), { recursive: true })
    }
    await run('chroot', [scratch, 'groupadd', '--gid', '1000', 'node'])
    await run('chroot', [scratch, 'useradd', '--uid', '1000', '--gid', 'node', '--shell', '/bin/bash', '-m', 'node'])
    await rename(scratch, rootfs)
  }
  const node = await unpack(dir, `node-linux-${process.arch}@${nodeVersion}`)
  const npm = await unpack(dir, `npm@${npmVersion}`)
  const local = join(rootfs, 'usr/local')
  await cp(join(node, 'bin/node'), join(local, 'bin/node'))
  await cp(npm, join(local, 'lib/node_modules/npm'), { recursive: true })
  for (const command of ['npm', 'npx']) {
    const link = join(local, 'bin', command)
    await rm(link, { force: true })
    await symlink(`../lib/node_modules/npm/bin/${command}-cli.js`, link)
    await chmod(join(local, `lib/node_modules/npm/bin/${command}-cli.js`), 0o755)
  }
  await writeFile(join(local, 'bin/docker-entrypoint.sh'), entrypoint, { mode: 0o755 })
  const container = await buildah.run('from', 'scratch')
  await buildah.run('add', container, rootfs, '/')
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const settings = ['--env', `PATH=${path}`, '--env', `NODE_VERSION=${nodeVersion}`, '--cmd', 'node']
  await buildah.run('config', ...settings, '--entrypoint', '["docker-entrypoint.sh"]', container)
  await buildah.run('commit', '--rm', '--format', 'docker', container, name)
}

/** Fetches a package with this machine's npm, and returns the folder of its files. */
async function unpack(dir: string, spec: string): Promise<string> {
  const folder = join(dir, 'packages', spec)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const packed = await run('npm', ['pack', '--silent', spec], { cwd: folder, timeoutMs: 300_000 })
  await run('tar', ['-xzf', packed.trim()], { cwd: folder, timeoutMs: 120_000 })
  return join(folder, 'package')
}
