import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../binaries/run.js'
import type { Component } from './Component.js'
import type { ServerOptions } from './ServerOptions.js'

type KuboOptions = Pick<ServerOptions, 'dir' | 'ports' | 'env'>

/** An IPFS node without peers: it really stores blocks, and announces none of them. */
export function createKubo({ dir, ports, env }: KuboOptions, program: string): Component {
  const repo = join(dir, 'kubo')
  const configFile = join(repo, 'config')
  const ownEnv = { ...env, IPFS_PATH: repo, IPFS_TELEMETRY: 'off' }
  return {
    name: 'kubo',
    async prepare() {
      await mkdir(repo, { recursive: true })
      if (!existsSync(configFile)) await run(program, ['init', '--empty-repo'], { env: ownEnv, timeoutMs: 60_000 })
      const config = JSON.parse(await readFile(configFile, 'utf8')) as object
      await writeFile(configFile, JSON.stringify({ ...config, ...privateSettings(ports) }, null, 2))
      await rm(join(repo, 'api'), { force: true }) // left by a node that was killed
    },
    command: () => ({ file: program, args: ['daemon', '--offline'], env: ownEnv, cwd: dir }),
    async isReady() {
      const signal = AbortSignal.timeout(2_000)
      return (await fetch(`http://127.0.0.1:${ports.kuboApi}/api/v0/id`, { method: 'POST', signal })).ok
    },
  }
}

/** Whole sections, because `init` fills them with addresses of the public network. */
function privateSettings({ kuboApi, kuboGateway }: KuboOptions['ports']) {
  return {
    Addresses: {
      API: `/ip4/127.0.0.1/tcp/${kuboApi}`,
      Gateway: `/ip4/127.0.0.1/tcp/${kuboGateway}`,
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
