import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createChannelCertificates } from '../../../core/x509/testing/createChannelCertificates.js'
import { findPrograms } from '../../stack/binaries/index.js'
import { repositoryRoot } from '../../stack/components/program.js'
import type { Progress } from '../../stack/progress.js'
import { openImage, readImage } from '../build/readImage.js'
import type { Buildah } from '../build/Buildah.js'
import type { Project } from '../compose/Project.js'
import { hosts, type Plan } from './Plan.js'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

/** Runs every image and drives one proof through them, in network, mount and process namespaces that end with it. */
export async function prove(buildah: Buildah, { services }: Project, dir: string, progress: Progress): Promise<void> {
  await findPrograms(process.env, progress) // the namespaces have no network to fetch them from
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true, mode: 0o755 })
  const front = await createChannelCertificates(join(dir, 'front'), Object.values(hosts))
  const plan: Plan = { dir, images: {} }
  const opened: { remove(): Promise<unknown> }[] = []
  try {
    for (const [name, { build, image }] of Object.entries(services)) {
      if (!build) continue
      const copy = await openImage(buildah, image)
      opened.push(copy)
      plan.images[name] = { rootfs: copy.rootfs, config: await readImage(buildah, image) }
    }
    const file = join(dir, 'plan.json')
    await writeFile(file, JSON.stringify(plan))
    const args = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: front.ca }
    const options = { cwd: repositoryRoot, env, stdio: 'inherit' } as const
    const proving = spawn('unshare', [...args, process.execPath, '--import', 'tsx', program, file], options)
    const [code] = (await once(proving, 'close')) as [number | null]
    if (code !== 0) throw new Error('the images did not make a proof')
  } finally {
    for (const copy of opened) await copy.remove()
  }
}
