import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { buildPackage } from '../buildPackage.js'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const peers = ['react', 'react-dom', 'viem', '@wagmi/core', '@types/react', '@types/node', 'csstype', 'undici-types']

/** Builds, packs and unpacks the package into an application that has only the peers and nothing else of this repository. */
export async function installPackage() {
  const work = await mkdtemp(join(tmpdir(), 'perigee-sdk-'))
  const dist = join(work, 'dist')
  await buildPackage(dist)
  const { stdout } = await run('npm', ['pack', dist, '--pack-destination', work, '--silent'], { cwd: work })
  const tarball = join(work, stdout.trim().split('\n').at(-1) ?? '')
  const app = join(work, 'app')
  const installed = join(app, 'node_modules/@perigee/sdk')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  for (const name of peers) {
    const link = join(app, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, 'node_modules', name), link)
  }
  await writeFile(join(app, 'package.json'), '{"type":"module"}')
  return { app, installed, tarball, remove: () => rm(work, { recursive: true, force: true }) }
}
