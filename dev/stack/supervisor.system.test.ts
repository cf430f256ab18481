import { spawn, type ChildProcess } from 'node:child_process'
import { access, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { components } from '../../tests/harness/index.js'
import { findChromium, launchChromium } from '../../tests/harness/browser/findChromium.js'
import { createStackFolder, type StackFolder } from './createStackFolder.js'
import { freePorts, portTable } from './settings/ports.js'
import { waitUntil } from './processes/waitUntil.js'
import type { StackFile } from './stackFile.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const minutes = (count: number) => count * 60_000
let dir: string
let remove: StackFolder['remove']
let env: NodeJS.ProcessEnv
let running: ChildProcess | undefined

beforeAll(async () => {
  ;({ dir, remove } = await createStackFolder('supervisor'))
  const { programs } = components()
  const free = Object.entries(await freePorts()) as [keyof typeof portTable, number][]
  const ports = free.map(([name, port]) => [portTable[name].variable, String(port)])
  const found = { TEMPORAL_CLI_PATH: programs.temporal, KUBO_PATH: programs.kubo }
  env = { ...process.env, ...Object.fromEntries(ports), ...found, PERIGEE_DIR: dir, TEMPORAL_ADDRESS: '' }
})
afterAll(async () => {
  running?.kill('SIGKILL')
  await remove()
})

const readStack = async () => JSON.parse(await readFile(join(dir, 'stack.json'), 'utf8')) as StackFile
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function start(): Promise<{ child: ChildProcess; output: () => string }> {
  const child = spawn(process.execPath, ['dev/start.mjs'], { cwd: root, env })
  running = child
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await waitUntil(
    'the stack',
    async () => {
      if (child.exitCode !== null) return true
      return (await readStack()).supervisor === child.pid
    },
    { timeoutMs: minutes(4), everyMs: 200 },
  )
  expect(child.exitCode, text).toBeNull()
  return { child, output: () => text }
}

const names = ['anvil', 'api', 'codec', 'enclave', 'identity-provider', 'kubo', 'postgres', 'satellite', 'temporal', 'web', 'worker'] // prettier-ignore

test(
  'restarts what dies, leaves nothing behind when killed, and finds its data again',
  { timeout: minutes(12) },
  async () => {
    const first = await start()
    const before = await readStack()
    expect(Object.keys(before.processes).sort()).toEqual(names)
    expect(Object.values(before.processes).every(isAlive)).toBe(true)
    for (const secret of ['stack.json', 'secrets.json']) expect((await stat(join(dir, secret))).mode & 0o077).toBe(0)

    await expectPages(before.webUrl)

    const second = spawn(process.execPath, ['dev/start.mjs'], { cwd: root, env })
    let refusal = ''
    second.stderr.on('data', (chunk: Buffer) => (refusal += chunk.toString()))
    expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(1)
    expect(refusal.trim()).toMatch(new RegExp(`^Perigee already runs here \\(process ${first.child.pid}\\).*$`))
    expect(await readStack()).toEqual(before) // the refused one leaves the addresses of the running one alone

    const victims = ['satellite', 'anvil', 'postgres'] as const
    for (const name of victims) process.kill(before.processes[name] ?? 0, 'SIGKILL')
    const areBack = async () => {
      const { processes } = await readStack()
      return victims.every((name) => processes[name] !== undefined && processes[name] !== before.processes[name])
    }
    await waitUntil('their return', areBack, { timeoutMs: minutes(2) })
    expect(first.output()).toContain('satellite ended (SIGKILL)')

    const { processes } = await readStack()
    first.child.kill('SIGKILL')
    await waitUntil('the end of all', async () => !Object.values(processes).some(isAlive), { timeoutMs: minutes(1) })
    await expect(access(join(dir, 'stack.json'))).rejects.toMatchObject({ code: 'ENOENT' })

    const again = await start()
    const after = await readStack()
    expect({ ...after, processes: {}, supervisor: 0 }).toEqual({ ...before, processes: {}, supervisor: 0 })
    again.child.kill('SIGTERM')
    expect(await new Promise((resolve) => again.child.once('exit', resolve))).toBe(0)
    expect(Object.values(after.processes).some(isAlive)).toBe(false)
    expect(again.output()).toContain('Everything has stopped.')
  },
)

/** That a person can sign in and out on the pages as Vite serves them. tests/browser covers all pages, as built. */
async function expectPages(webUrl: string): Promise<void> {
  const executable = findChromium()
  if (!executable) return expect((await fetch(webUrl)).status).toBe(200)
  const browser = await launchChromium(executable)
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 } })
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      // The service answers the first request for a session with 401: nobody is signed in.
      if (message.type() === 'error' && !/401|404/.test(message.text())) problems.push(message.text())
    })
    await page.goto(webUrl)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail address').fill('grace@example.test')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Create without a passkey' }).click()
    await page.getByRole('heading', { name: 'Send', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(problems).toEqual([])
  } finally {
    await browser.close()
  }
}
