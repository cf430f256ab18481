import { execFile, execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import type { Browser } from '../testing/Browser.js'
import { createTestAttestor } from '../../tests/rigs/api/createTestAttestor.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { operatorEmail, startTestApi, webOrigin, type TestApi } from '../../tests/rigs/api/startTestApi.js'

/**
 * PyPI's schemathesis, when it is installed: `SCHEMATHESIS` names it, or it is on the PATH. To have it:
 * `python3 -m venv ~/.venvs/perigee && ~/.venvs/perigee/bin/pip install schemathesis==4.32.5`, and that folder's `bin` on the PATH.
 * `SCHEMATHESIS_EXAMPLES=200` is the run that is promised; the default keeps `npm test` short.
 */
const program = process.env['SCHEMATHESIS'] || 'schemathesis'
const examples = process.env['SCHEMATHESIS_EXAMPLES'] || '10'
function isInstalled(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let api: TestApi
let folder: string
beforeAll(async () => {
  if (!isInstalled()) return
  api = await startTestApi({ deps: { attestor: await createTestAttestor() } })
  folder = await mkdtemp(join(tmpdir(), 'perigee-fuzz-'))
})
afterAll(async () => {
  await api?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** A person with a wallet and a proof, who may also do what operators may. The value of their cookie. */
async function newSession(): Promise<string> {
  const browser = await api.signIn(operatorEmail)
  await api.post(browser, '/wallet/provision')
  await api.post(browser, '/sign/digest', {
    digest: transactionDigest(exampleTransaction),
    txMetadata: exampleTransaction,
  })
  return sessionCookie(browser)
}

/** Without the cookies that the identity provider has set on the same host. */
function sessionCookie(browser: Browser): string {
  return browser.cookie('localhost', 'perigee_session')?.value ?? ''
}

async function run(cookie: string | null, args: string[], env: Record<string, string> = {}): Promise<string> {
  const config = join(folder, `${cookie ? 'with' : 'without'}.toml`)
  // The cookie is the credential of the scheme `session`, so that schemathesis also tries without it.
  const credential = cookie ? `[auth.openapi.session]\napi_key = "${cookie}"\n` : ''
  // No schema can say that a digest is the hash of the transaction beside it, nor what a message must be: refusals are
  // the right answer to a random one.
  const accepting = (operation: string, statuses: string) =>
    `[[operations]]\ninclude-operation-id = "${operation}"\n[operations.checks]\npositive_data_acceptance.expected-statuses = [${statuses}]\n`
  const digests = accepting('signDigest', '"2xx", "401", "404", "409", "422"')
  const messages = accepting('signMessage', '"2xx", "401", "403", "404", "409", "413", "422"')
  // Nor that a public key is a point of its curve.
  const owners = ['provisionWallet', 'changeOwners'].map((name) =>
    accepting(name, '"2xx", "401", "403", "404", "409", "422"'),
  )
  // Nor that a request without a body needs a content type too, which no other site's form can send.
  const bodiless = endingSessions.map((name) => accepting(name, '"2xx", "401", "403", "404", "415"'))
  await writeFile(config, [credential, digests, messages, ...owners, ...bodiless].join(''))
  const common = [
    '--config-file',
    config,
    'run',
    `${api.url}/openapi.json`,
    '-u',
    api.url,
    '-H',
    `Origin: ${webOrigin}`,
  ]
  const settings = ['-n', examples, '--seed', '1', '--no-color', '--checks', 'all']
  return new Promise((resolve) => {
    const options = { maxBuffer: 1 << 26, timeout: 1_800_000, env: { ...process.env, ...env } }
    execFile(program, [...common, ...settings, ...args], options, (error, stdout, stderr) => {
      resolve(error ? `exit ${error.code}\n${stdout}${stderr}` : 'nothing wrong')
    })
  })
}

/** It finds out its own id, and as an operator may end its own sessions too. */
const endingSessions = ['logout', 'endSession', 'endSessionsOfUser']

const whenInstalled = test.skipIf(!isInstalled())

whenInstalled(
  'schemathesis finds nothing wrong without a session',
  async () => {
    expect(await run(null, [])).toBe('nothing wrong')
  },
  2_000_000,
)

whenInstalled(
  'schemathesis finds nothing wrong with a session',
  async () => {
    const cookie = await newSession()
    expect(
      await run(
        cookie,
        endingSessions.flatMap((id) => ['--exclude-operation-id', id]),
      ),
    ).toBe('nothing wrong')
    // It was a session to the end: nothing that was tried has ended it.
    expect((await fetch(`${api.url}/auth/me`, { headers: { cookie: `perigee_session=${cookie}` } })).status).toBe(200)
  },
  2_000_000,
)

whenInstalled(
  'schemathesis finds nothing wrong with ending sessions, a new one for each request',
  async () => {
    const sessions = createServer((_req, res) => {
      api.signIn(operatorEmail).then(
        (browser) => res.end(sessionCookie(browser)),
        () => res.writeHead(500).end(),
      )
    })
    await new Promise<void>((resolve) => sessions.listen(0, '127.0.0.1', resolve))
    try {
      const hooks = fileURLToPath(new URL('../testing/freshSession.py', import.meta.url))
      const { port } = sessions.address() as { port: number }
      // It finds out ids, and ends sessions by them. Every request has a session here, so none is tried without one.
      const operations = [...endingSessions, 'listSessions', 'me'].flatMap((id) => ['--include-operation-id', id])
      const args = [...operations, '--exclude-checks', 'ignored_auth']
      const env = { SCHEMATHESIS_HOOKS: hooks, FRESH_SESSION_URL: `http://127.0.0.1:${port}` }
      expect(await run(null, args, env)).toBe('nothing wrong')
    } finally {
      sessions.close()
    }
  },
  2_000_000,
)
