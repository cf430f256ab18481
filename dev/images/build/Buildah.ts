import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../stack/binaries/run.js'

export type Buildah = Awaited<ReturnType<typeof openBuildah>>

/**
 * Debian's buildah, without a daemon: images in a store of their own, build steps in a chroot. Throws one line when it is
 * missing or this is not root, which mounting an image needs.
 */
export async function openBuildah(dir: string) {
  const version = await run('buildah', ['--version']).catch(() => '')
  if (!version) throw new Error('buildah is not installed: apt-get install buildah debootstrap')
  if (process.getuid?.() !== 0) throw new Error('npm run images needs root, to mount images and to make networks')
  const env = { BUILDAH_ISOLATION: 'chroot', ...process.env }
  // `vfs` works on every file system, but copies every layer.
  const driver = process.env['STORAGE_DRIVER'] || 'overlay'
  const store = ['--root', join(dir, 'store'), '--runroot', join(dir, 'run'), '--storage-driver', driver]
  const logs = join(dir, 'logs')
  await mkdir(logs, { recursive: true })
  return {
    /** What it printed. */
    run: async (...args: string[]) => (await run('buildah', [...store, ...args], { env, timeoutMs: 600_000 })).trim(),
    /** For long commands: output goes to a file, whose end a failure shows. */
    runLogged: (name: string, ...args: string[]) =>
      runToFile(join(logs, `${name}.log`), 'buildah', [...store, ...args], env),
  }
}

/** Runs a program to its end; a failure shows the end of its output. */
export function runToFile(file: string, program: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const log = createWriteStream(file)
    let last = ''
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        log.write(chunk)
        last = (last + chunk.toString('utf8')).slice(-2_000)
      })
    }
    child.on('error', () => reject(new Error(`${program} is not installed`)))
    child.on('close', (code) => {
      log.end()
      if (code === 0) resolve()
      else reject(new Error(`${program} failed. The end of ${file}:\n${last.trimEnd()}`))
    })
  })
}
