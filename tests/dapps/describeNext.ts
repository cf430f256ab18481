import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLeash } from '../../dev/stack/processes/Leash.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import { picture } from '../browser/site/visits.js'
import { desktop, expectAccessible } from '../harness/browser/openPages.js'
import type { Backend } from './Backend.js'

const root = resolve(import.meta.dirname, '../..')
const example = join(root, 'examples/next')

/** The Next.js example as its command starts it, with the compiled SDK: sign-in with Ethereum, checked by a backend of its own. */
export function describeNext(browser: () => Browser, backend: () => Backend, port: () => number): void {
  const leash = openLeash()
  const origin = () => `http://localhost:${port()}`
  let logs: string

  beforeAll(async () => {
    logs = await mkdtemp(join(tmpdir(), 'perigee-next-'))
    await promisify(execFile)('npm', ['run', 'prestart'], { cwd: example })
    const { apiUrl, rpcUrl } = backend()
    await leash.spawn({
      file: process.execPath,
      args: [join(root, 'node_modules/next/dist/bin/next'), 'dev', '--port', String(port())],
      cwd: example,
      env: { PATH: process.env['PATH'], HOME: logs, API_URL: apiUrl, RPC_URL: rpcUrl, APP_URL: origin() },
      logFile: join(logs, 'next.log'),
      stopSignal: 'SIGTERM',
      graceMs: 5_000,
    })
    // The first answer waits until the page is compiled: on a busy machine for minutes, so it is not asked again meanwhile.
    const answers = async () => (await fetch(origin(), { signal: AbortSignal.timeout(300_000) })).ok
    await waitUntil('the Next.js example', answers, { timeoutMs: 300_000 })
  })
  afterAll(async () => {
    await leash.close()
    await rm(logs, { recursive: true, force: true })
  })

  test('examples/next: signs in with Ethereum, not under another shop’s name, and out again', async () => {
    const context = await browser().newContext(desktop)
    context.setDefaultTimeout(180_000) // each route is compiled when it is first asked
    const page = await context.newPage()
    const query = new URLSearchParams({ login_hint: 'shopper@example.test', return_to: `${origin()}/` })
    await page.goto(`${backend().apiUrl}/auth/dev?${query.toString()}`)
    await page.getByText('You are not signed in to the shop.').waitFor()

    await page.getByRole('button', { name: 'Try with another shop’s name' }).click()
    await page.getByRole('alert').getByText('another site').waitFor()
    await page.getByText('You are not signed in to the shop.').waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Sign in with Ethereum' }).click()
    await page.getByText(/^Signed in as 0x[0-9a-fA-F]{40}$/).waitFor()
    await picture(page, 'example-next')
    await page.reload()
    await page.getByText('Signed in as').waitFor() // the backend knows it, not the page
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are not signed in to the shop.').waitFor()

    const forged = { message: 'not a message', signature: '0x' }
    const answer = await page.request.post(`${origin()}/siwe/session`, { data: forged })
    expect([answer.status(), await answer.json()]).toEqual([401, { error: 'This sign-in is not valid.' }])
    await context.close()
  })
}
