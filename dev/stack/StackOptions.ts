import type { Progress } from './progress.js'
import type { Ports } from './settings/ports.js'

/** Another arrangement of the applications than one API, one worker and the web app. */
export interface Arrangement {
  /** One API on each; the API's usual port is left to the proxy in front of them. */
  apiPorts: readonly number[]
  workers: number
  /** For Node, besides the usual ones. */
  nodeFlags?: readonly string[]
  /** Another program than `workers/main.ts`, relative to the repository. */
  workerEntry?: string
  /** Variables that differ for one program, such as an address with a faulty network behind it. */
  envOf(program: string): NodeJS.ProcessEnv
}

export interface StackOptions {
  /** Where all data, secrets and logs are kept. */
  dir: string
  /** `free`: any ports, for a stack beside another one. Otherwise the usual ones, moved by the environment. */
  ports: 'free' | 'usual'
  env: NodeJS.ProcessEnv
  /** A Temporal cluster of several processes instead of the dev server. */
  cluster?: boolean
  /** Where the cluster's processes reach Postgres, when something stands between; called once the ports are known. */
  clusterDatabase?: (postgresPort: number) => Promise<string>
  /** Temporal with less CPU, for tests. */
  thrifty?: boolean
  /** Delete old data first. */
  fresh?: boolean
  progress?: Progress
  /** Called when the stack can no longer be kept running; it has been stopped. */
  onLost?: (reason: string) => void
  /** Several processes instead of one API, one worker and the web app; called once the ports are known. */
  arrange?: (ports: Ports, env: NodeJS.ProcessEnv) => Promise<Arrangement>
  /** Cancels the start. */
  signal?: AbortSignal
  /** Changes the programs' variables, for tests that put something between them. */
  alter?: (env: NodeJS.ProcessEnv) => Promise<NodeJS.ProcessEnv>
  /** `built`: the static build in `WEB_ROOT` behind its production server, instead of Vite. */
  web?: 'vite' | 'built'
  /** Resolves to Kubo's program, for a test that makes it come late. */
  kubo?: Promise<string>
}
