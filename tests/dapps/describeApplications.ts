import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { buildProgram } from '../../dev/stack/programs/buildProgram.js'
import type { Site } from '../browser/site/startSite.js'
import { describeInChromium } from '../harness/browser/chromium.js'
import { fund } from '../harness/index.js'
import { describeNext } from './describeNext.js'
import { describeTestDapp } from './describeTestDapp.js'

const script = new URL('../../examples/node/main.ts', import.meta.url)

/** Applications that the service does not know, on everything that `npm start` starts. */
export function describeApplications(site: () => Site): void {
  const backend = () => {
    const { apiUrl, rpcUrl } = site().stack
    return { apiUrl, rpcUrl, fund: (address: string) => fund(address as Hex, '10', rpcUrl) }
  }

  test('examples/node: the script signs, sends, and prints complete proofs', async () => {
    const { apiUrl, rpcUrl } = backend()
    const env = { ...process.env, API_URL: apiUrl, RPC_URL: rpcUrl, WEB_URL: site().url }
    const { stdout } = await promisify(execFile)(process.execPath, [await buildProgram(script)], { env })
    expect(stdout.match(/ complete$/gm)).toHaveLength(3)
    expect(stdout).toMatch(/transaction {2}0x[0-9a-f]{64} success/)
  })

  describeInChromium('applications on the real stack', (browser) => {
    describeTestDapp(browser, backend, () => site().applicationPorts.dapp)
    describeNext(browser, backend, () => site().applicationPorts.next)
  })
}
