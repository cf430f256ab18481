import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseQuoteCollateral, type QuoteCollateral } from '../../core/tdx/index.js'

export interface OracleTask {
  quote: Uint8Array
  collateral: QuoteCollateral
  root: Uint8Array
  now: number
}
export type OracleAnswer = { status: string; advisoryIds: string[] } | { error: string }

const version = '0.7.0'
const cache = fileURLToPath(new URL('../../node_modules/.cache/perigee', import.meta.url))

/** Python with PyPI's dcap-qvl, from the cache folder, installed there when it can be. Undefined otherwise. */
export function findOracle(): string | undefined {
  const folder = `${cache}/dcap-qvl-${version}`
  const python = `${folder}/bin/python`
  const works = () =>
    existsSync(python) && spawnSync(python, ['-c', 'import dcap_qvl'], { timeout: 120_000 }).status === 0
  if (works()) return python
  mkdirSync(cache, { recursive: true })
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { stdio: 'ignore', timeout: 120_000 }).status === 0
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:']
  if (run('python3', '-m', 'venv', folder) && run(python, ...pip, `dcap-qvl==${version}`) && works()) return python
  rmSync(folder, { recursive: true, force: true })
  return undefined
}

/** Asks the oracle about every task, in one process. */
export async function askOracle(python: string, tasks: readonly OracleTask[]): Promise<OracleAnswer[]> {
  const child = spawn(python, [fileURLToPath(new URL('./oracle.py', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const lines = tasks.map(({ quote, collateral, root, now }) => {
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
    return JSON.stringify({
      quote: hex(quote),
      collateral: JSON.stringify(parseQuoteCollateral(collateral)),
      root: hex(root),
      now,
    })
  })
  child.stdin.end(`${lines.join('\n')}\n`)
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
  const answers = Buffer.concat(chunks).toString('utf8').trim().split('\n')
  if (answers.length !== tasks.length) throw new Error(`the oracle answered ${answers.length} of ${tasks.length} tasks`)
  return answers.map((answer) => JSON.parse(answer) as OracleAnswer)
}
