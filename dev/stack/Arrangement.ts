/** Another arrangement of the applications than one API, one worker and the web app. */
export interface Arrangement {
  /** One API on each; the API's usual port is left to the proxy in front of them. */
  apiPorts: readonly number[]
  workers: number
  /** Another program than `workers/main.ts`, relative to the repository. */
  workerEntry?: string
  /** Variables that differ for one program, such as an address with a faulty network behind it. */
  envOf(program: string): NodeJS.ProcessEnv
}
