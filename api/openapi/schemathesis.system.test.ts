import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestAttestor } from '../testing/createTestAttestor.js'
import { startTestApi, webOrigin } from '../testing/startTestApi.js'

/** PyPI's schemathesis, when it is installed: `SCHEMATHESIS` names it, or it is on the PATH. */
const program = process.env['SCHEMATHESIS'] || 'schemathesis'
function isInstalled(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function run(url: string, cookie: string | null): Promise<{ code: number; output: string }> {
  const examples = process.env['SCHEMATHESIS_EXAMPLES'] || '20'
  // The cookie as the credential of the scheme `session`, so that schemathesis also tries without it.
  const folder = await mkdtemp(join(tmpdir(), 'perigee-fuzz-'))
  const config = join(folder, 'schemathesis.toml')
  await writeFile(
    config,
    cookie ? `[auth.openapi.session]\napi_key = "${cookie.slice(cookie.indexOf('=') + 1)}"\n` : '',
  )
  const headers = ['-H', `Origin: ${webOrigin}`]
  const args = [
    '--config-file',
    config,
    'run',
    `${url}/openapi.json`,
    '-u',
    url,
    '-n',
    examples,
    '--seed',
    '1',
    '--no-color',
    ...headers,
  ]
  // No random digest is that of its transaction, and no random slug names a proof: refusing well-formed data is right.
  const checks = ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance']
  // One request of the fuzzer would sign it out, and the rest of the run would be about 401.
  if (cookie) checks.push('--exclude-operation-id', 'logout')
  return new Promise((resolve) => {
    execFile(program, [...args, ...checks], { maxBuffer: 1 << 26, timeout: 900_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr })
    })
  })
}

test.skipIf(!isInstalled()).each(['without a session', 'with a session'])(
  'schemathesis finds nothing wrong %s',
  async (how) => {
    const attestor = await createTestAttestor()
    const api = await startTestApi({ deps: { attestor } })
    try {
      const browser = await api.signIn('fuzz@example.test')
      await api.post(browser, '/wallet/provision')
      const cookie = how === 'with a session' ? browser.cookieHeader(new URL(api.url)) : null
      const { code, output } = await run(api.url, cookie)
      expect(code, output).toBe(0)
    } finally {
      await api.close()
    }
  },
  1_000_000,
)
