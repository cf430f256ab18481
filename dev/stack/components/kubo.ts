import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../binaries/run.js'
import type { Component } from './Component.js'

export interface KuboOptions {
  program: string
  dir: string
  repo: string
  apiPort: { port: number; variable: string }
  gatewayPort: { port: number; variable: string }
  env: NodeJS.ProcessEnv
}

/** An IPFS node without peers: it really stores blocks, and announces none of them. */
export function createKubo({ program, dir, repo, apiPort, gatewayPort, env }: KuboOptions): Component {
  const ownEnv = { ...env, IPFS_PATH: repo, IPFS_TELEMETRY: 'off' }
  return {
    name: 'kubo',
    ports: [apiPort, gatewayPort],
    async prepare() {
      await mkdir(repo, { recursive: true })
      const configFile = join(repo, 'config')
      const exists = await access(configFile).then(
        () => true,
        () => false,
      )
      if (!exists) await run(program, ['init', '--empty-repo'], { env: ownEnv, timeoutMs: 60_000 })
      const config = JSON.parse(await readFile(configFile, 'utf8')) as object
      await writeFile(
        configFile,
        JSON.stringify({ ...config, ...privateSettings(apiPort.port, gatewayPort.port) }, null, 2),
      )
      await rm(join(repo, 'api'), { force: true }) // left by a node that was killed
    },
    command: () => ({ file: program, args: ['daemon', '--offline'], env: ownEnv, cwd: dir }),
    async isReady() {
      const answer = await fetch(`http://127.0.0.1:${apiPort.port}/api/v0/id`, {
        method: 'POST',
        signal: AbortSignal.timeout(2_000),
      })
      return answer.ok
    },
  }
}

/** Whole sections, because `init` fills them with addresses of the public network. */
function privateSettings(apiPort: number, gatewayPort: number) {
  return {
    Addresses: {
      API: `/ip4/127.0.0.1/tcp/${apiPort}`,
      Gateway: `/ip4/127.0.0.1/tcp/${gatewayPort}`,
      Swarm: [],
      Announce: [],
      AppendAnnounce: [],
      NoAnnounce: [],
    },
    AutoConf: { Enabled: false },
    Bootstrap: [],
    Discovery: { MDNS: { Enabled: false } },
    DNS: { Resolvers: {} },
    Ipns: { ResolveCacheSize: 128, DelegatedPublishers: [] },
    Routing: { Type: 'none', DelegatedRouters: [] },
    Provide: { Enabled: false },
    // The proof page reads receipts from here in the visitor's browser.
    Gateway: { HTTPHeaders: { 'Access-Control-Allow-Origin': ['*'] }, NoFetch: true, NoDNSLink: true },
  }
}
