import { join } from 'node:path'
import { repositoryRoot } from '../../stack/components/program.js'
import { run } from '../../stack/binaries/run.js'
import type { Stack } from '../../stack/startStack.js'
import { Browser } from '../../../api/testing/Browser.js'
import { clientWith, signIn } from '../../signIn.js'
import { fund } from '../../stack/fund.js'
import { hosts } from './Plan.js'

const origin = (host: string) => `https://${host}`

/** One person signs in, sends a transaction, and a stranger verifies its receipt. Returns the verdict's last line. */
export async function driveProof({ file }: Stack, folder: string): Promise<string> {
  const addresses = { ...file, apiUrl: origin(hosts.api), webUrl: origin(hosts.app) }
  const client = clientWith(await signIn(addresses.apiUrl, 'ada@example.test', `${addresses.webUrl}/`), addresses)
  const { address } = await client.api.provisionWallet()
  await fund(address, '10', file.rpcUrl)
  const { attestationSlug } = await client.signAndSend({ to: '0x00000000000000000000000000000000000000aa', value: 1n })
  const { status } = await client.waitForProof(attestationSlug)
  if (status !== 'complete') throw new Error(`the proof ${attestationSlug} is ${status}`)
  const page = `${addresses.webUrl}/p/${attestationSlug}`
  if (!(await (await fetch(page)).text()).includes('<div id="root"')) throw new Error(`${page} is not the web app`)
  // The web server asks the API on the network that only the two share.
  const badge = await (await fetch(`${addresses.webUrl}/badge/${attestationSlug}.svg`)).text()
  if (!badge.includes('simulated')) throw new Error('the badge does not know the proof')
  const tsx = join(repositoryRoot, 'node_modules/.bin/tsx')
  const verify = [join(repositoryRoot, 'verifier/main.ts'), page, '--api', addresses.apiUrl]
  const verdict = await run(tsx, verify, { cwd: folder, timeoutMs: 120_000 })
  if (/FAIL|SKIP/.test(verdict)) throw new Error(`the receipt does not verify:\n${verdict}`)
  return verdict.trim().split('\n').at(-1) ?? ''
}

/** The operators’ pages show a stranger nothing, and an operator the Temporal UI. */
export async function driveOperators(): Promise<void> {
  const operators = origin(hosts.operators)
  const ui = `${operators}/ui/`
  const stranger = await new Browser().fetch(ui)
  if (stranger.status !== 303) throw new Error(`a stranger got ${stranger.status} from the Temporal UI`)
  const browser = new Browser()
  await browser.navigate(`${operators}/sign-in/dev?login_hint=operator%40example.test`, `${operators}/?`)
  const operator = await browser.fetch(ui)
  if (operator.status === 303 || operator.status >= 500) throw new Error(`an operator got ${operator.status}`)
}
