import { afterAll, beforeAll } from 'vitest'
import { describePages } from './browser/describePages.js'
import { startSite, type Site } from './browser/site/startSite.js'
import { describeApplications } from './dapps/describeApplications.js'
import { describeSpec } from './sdk/describeSpec.js'
import { describeThread } from './describeThread.js'

// Everything that `npm start` starts, once, for the suites that need all of it.
let site: Site
let provideKubo: (program: string) => void

beforeAll(async () => {
  const kubo = new Promise<string>((resolve) => (provideKubo = resolve))
  // A small supply of entropy, so that one test can use it up.
  site = await startSite({ kubo, env: { ENTROPY_SUPPLY_TARGET: '8' } })
})
afterAll(() => site?.close())

describeThread(
  () => site,
  (program) => provideKubo(program), // first: it starts without Kubo
)
describePages(() => site)
describeSpec(() => site)
describeApplications(() => site)
