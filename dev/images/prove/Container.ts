import { spawn, type ChildProcess } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { run } from '../../stack/binaries/run.js'
import type { ImageConfig } from '../build/readImage.js'
import type { Service } from '../compose/Project.js'

const enterScript = fileURLToPath(new URL('enter.sh', import.meta.url))

export interface ContainerOptions {
  name: string
  service: Service
  image: ImageConfig
  /** A copy of the image's root file system. */
  rootfs: string
  /** Of `ip netns`. */
  namespace: string
  /** Lines of /etc/hosts. */
  hosts: string
  dir: string
  /** Instead of the image's command. */
  command?: string[]
}

export type Container = ReturnType<typeof startContainer>

/** Runs a program from an image, with what the compose file says about it. */
export function startContainer(options: ContainerOptions) {
  const { name, service, image, rootfs, namespace, dir } = options
  const user = image.User || 'root'
  const env = { ...Object.fromEntries((image.Env ?? []).map(splitVariable)), ...service.environment }
  const log = join(dir, `${name}.log`)
  const output = openSync(log, 'w')
  const command = [...(image.Entrypoint ?? []), ...(options.command ?? image.Cmd ?? [])]
  const isolate = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child']
  const entered = ['sh', enterScript, rootfs, user, image.WorkingDir || '/', ...mounts(options), '--', ...command]
  const args = [`--net=/run/netns/${namespace}`, 'unshare', ...isolate, ...entered]
  const child = spawn('nsenter', args, { env, stdio: ['ignore', output, output] })
  closeSync(output)
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  /** Runs a command beside the program, as its user, and returns what it printed. */
  const exec = async (...wanted: string[]): Promise<string> => {
    const join = ['--target', String(innerPid(child)), '--mount', '--net', '--pid', '--ipc', '--uts', '--root', '--wd']
    const asUser = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--no-new-privs', '--bounding-set=-all']
    return run('nsenter', [...join, 'setpriv', ...asUser, '--', ...wanted], { env, timeoutMs: 20_000 })
  }
  return {
    name,
    exited,
    exec,
    /** Until the image's own health check passes. */
    async whenHealthy(timeoutMs: number): Promise<void> {
      const [kind, ...check] = image.Healthcheck?.Test ?? []
      if (kind !== 'CMD') throw new Error(`the image of ${name} has no health check`)
      let ended = false
      void exited.then(() => (ended = true))
      const deadline = Date.now() + timeoutMs
      for (;;) {
        const problem = await exec(...check).then(
          () => '',
          (error: Error) => error.message,
        )
        if (problem === '') return
        if (ended || Date.now() > deadline) {
          const last = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-12).join('\n')
          throw new Error(`${name} ${ended ? 'ended' : 'is not healthy'} (${problem}). The end of ${log}:\n${last}`)
        }
        await sleep(500)
      }
    },
    /** Lines of /proc/<pid>/status by name. */
    status(): Record<string, string> {
      const text = readFileSync(`/proc/${innerPid(child)}/status`, 'utf8').trim()
      return Object.fromEntries(text.split('\n').map((line) => line.split(/:\s*/, 2) as [string, string]))
    },
    /** SIGTERM; returns the exit code. */
    stop(): Promise<number | null> {
      process.kill(innerPid(child), 'SIGTERM')
      return exited
    },
  }
}

/** Makes the places that an engine would make, and names what is mounted there. */
function mounts({ name, service, rootfs, hosts, dir }: ContainerOptions): string[] {
  const hostsFile = join(dir, `${name}.hosts`)
  writeFileSync(hostsFile, hosts)
  makePlace(join(rootfs, 'etc/hosts'), false)
  const volumes = (service.volumes ?? []).map(({ type, source, target, read_only }) => {
    const place = join(rootfs, target)
    if (type === 'volume') return `${openVolume(join(dir, 'volumes', source), place)}:${target}:rw`
    makePlace(place, statSync(source).isDirectory())
    return `${source}:${target}:${read_only ? 'ro' : 'rw'}`
  })
  for (const folder of ['proc', 'dev', ...(service.tmpfs ?? [])]) mkdirSync(join(rootfs, folder), { recursive: true })
  return [...(service.tmpfs ?? []).map((path) => `tmpfs:${path}`), ...volumes, `${hostsFile}:/etc/hosts:ro`]
}

/** A new volume belongs to the user that the image's folder belongs to. */
function openVolume(folder: string, place: string): string {
  mkdirSync(folder, { recursive: true })
  const { uid, gid } = statSync(place)
  chownSync(folder, uid, gid)
  return folder
}

function makePlace(place: string, isFolder: boolean): void {
  mkdirSync(isFolder ? place : dirname(place), { recursive: true })
  if (!isFolder) writeFileSync(place, '', { flag: 'a' })
}

/** `nsenter` became `unshare`, whose child is the program. */
function innerPid({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return Number(children.split(' ')[0])
}

function splitVariable(text: string): [string, string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}
