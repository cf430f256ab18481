import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cidOf } from '@perigee/core/bytes'
import { stepNames } from '@perigee/core/receipt/verify'
import { receiptBytes, receiptSchemas } from '@perigee/core/receipt'
import type { Opening } from '@perigee/core/message'
import { buildProgram } from '../dev/stack/programs/buildProgram.js'
import { permit } from '../core/message/testing/typedData.js'
import { flip } from '../core/receipt/testing/cases/receiptCase.js'
import { mintMessage, type MintedMessage } from '../core/receipt/testing/mintMessage.js'
import { blocksOf, mintReceipt, type Minted } from '../core/receipt/testing/mintReceipt.js'
import { birthFaults, faults, owner, world, wrongCollateral } from './testing/receiptPageFaults.js'
import { serveBlocks, serveChain, type TestServer } from './testing/servers.js'

const root = resolve(import.meta.dirname, '..')
const page = await readFile(join(root, 'docs/receipt-v1.md'), 'utf8')
const tools = ['bash', 'curl', 'jq', 'xxd', 'openssl', 'python3']
const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined)
if (missing.length > 0) console.warn(`the page's commands are not run: no ${missing.join(', ')} here`)

test('docs/receipt-v1.md names every step and every member of a receipt', () => {
  for (const step of stepNames) expect(page).toContain(`\`${step}\``)
  const names = (schema: Record<string, unknown>): string[] =>
    Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>).flatMap(([name, child]) => [
      name,
      ...names(child),
    ])
  for (const name of names(z.toJSONSchema(receiptSchemas.transaction))) expect(page).toContain(`\`${name}\``)
  for (const name of names(z.toJSONSchema(receiptSchemas.message)))
    expect(page).toMatch(new RegExp(`\`(message\\.)?${name}\``))
  for (const name of names(z.toJSONSchema(receiptSchemas.birth)))
    expect(page).toMatch(new RegExp(`\`(key\\.|authorisation\\.)?${name}\``))
})

/** The blocks of commands, by the first words of the paragraph before each. */
const byHand = page.slice(page.indexOf('## Check it by hand'))
const blocks = [...byHand.matchAll(/\n\*\*(.+?)\.?\*\*(.*)\n```sh\n([\s\S]*?)```/g)].map(
  ([, name = '', about = '', commands = '']) => {
    const steps = /\((?:steps )?([\d, ]+)\)/.exec(about)?.[1]?.split(', ') ?? []
    return { name, steps: steps.map(Number), commands }
  },
)

/** The strictest reader. */
const authorisation = { minimum: 'passkey-verified', since: 'creation' }
/** What makes the block about openings fail. */
const openingBlock = 'The opening of a message'
const openingFaults: ((opening: Opening) => unknown)[] = [
  (o) => (o.signature = flip(o.signature)),
  (o) => ((o.message as { typedData: typeof permit }).typedData.message.deadline = '1'),
]
/** The others that are about the request, and so about messages too. */
const aboutRequests = ['Fetch it', 'The event', 'The key', 'REPORTDATA', 'Who asked', 'The passkey', 'Policy']
/** What the birth of a key has no block for. */
const notOfBirths = ['Digest, hash and signer', 'The birth', openingBlock]

describe.skipIf(missing.length > 0)('the commands on docs/receipt-v1.md', () => {
  let folder: string
  let minted: Minted
  let message: MintedMessage
  let gateway: TestServer
  let node: TestServer
  /** A gateway that gives the right names to wrong bytes. */
  let liar: TestServer
  let program: string
  /** Of the Python that `python3` starts: a version manager's wrapper costs more than Python itself. */
  let pythonFolder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'perigee-by-hand-'))
    minted = mintReceipt(world, { owner })
    pythonFolder = dirname(execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }))
    program = await buildProgram(new URL('./main.ts', import.meta.url))
    message = mintMessage(world, { scheme: 'eip712', typedData: permit }, { owner })
    const { evidence, anchors } = minted
    const more = wrongCollateral.map((bytes) => [cidOf(bytes), bytes] as const)
    const held = { ...blocksOf(minted), ...blocksOf(message), ...Object.fromEntries(more) }
    gateway = await serveBlocks(held)
    liar = await serveBlocks(Object.fromEntries(Object.entries(held).map(([cid, bytes]) => [cid, spoilt(bytes)])))
    const { announcements: releases } = evidence.releases
    node = await serveChain([...evidence.events, ...evidence.birth.events, ...message.evidence.events], { releases })
    await writeFile(join(folder, 'trust.json'), JSON.stringify({ ...anchors, authorisation }))
    await writeFile(join(folder, 'opening.json'), JSON.stringify(message.opening))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  afterAll(async () => {
    await Promise.all([gateway.close(), liar.close(), node.close()])
    await rm(folder, { recursive: true })
  })

  const shared = blocks[0]!.commands
  function run(
    commands: string,
    cwd: string,
    { from = gateway, cid = minted.evidence.cid } = {},
  ): Promise<{ failed: boolean; output: string }> {
    const text = commands
      .replace('CID=bafkrei…', `CID=${cid}`)
      .replaceAll('https://ipfs.io', from.url)
      .replace('npm run verify --', `'${process.execPath}' '${program}'`)
    const env = {
      ...process.env,
      PATH: `${pythonFolder}:${process.env.PATH}`,
      RPC: node.url,
      CONTRACT: minted.anchors.contracts[0]!.address,
    }
    return new Promise((done) => {
      execFile('bash', ['-o', 'pipefail', '-c', text], { cwd, env }, (error, stdout, stderr) =>
        done({ failed: error !== null, output: stdout + stderr }),
      )
    })
  }

  test('are a block for every step, and every block is shown to fail', () => {
    const steps = new Set(blocks.flatMap((block) => block.steps))
    expect(stepNames.map((_, index) => index + 1).filter((step) => !steps.has(step))).toEqual([])
    expect(blocks.slice(1).map(({ name }) => name.replace("'", '’'))).toEqual([...Object.keys(faults), openingBlock])
  })

  test('find a good receipt to be good', async () => {
    const all = blocks.filter(({ name }) => name !== openingBlock)
    const { failed, output } = await run(all.map(({ commands }) => commands).join('\n'), folder)
    expect(failed ? output.slice(-1500) : 'all true').toBe('all true')
    const lines = output.split('\n')
    expect(lines.filter((line) => line === 'Verified OK')).toHaveLength(7) // report, statement, passkey, quote (2), TCB info, QE identity
    expect(lines.filter((line) => line === 'Signature Verified Successfully')).toHaveLength(2) // entropy, list of builds
    expect(lines).toContain(`born ${minted.birth.key.createdAt} ${minted.birth.key.address}`)
    expect(lines).toContain('ACCEPTED')
  })

  test('find a good message and its opening to be good, and refuse a changed opening', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'perigee-by-hand-'))
    await cp(folder, copy, { recursive: true, verbatimSymlinks: true })
    const { commands: opens } = blocks.find(({ name }) => name === openingBlock)!
    const about = blocks.filter(({ name }) => aboutRequests.some((start) => name.startsWith(start)))
    expect(about).toHaveLength(aboutRequests.length)
    const commands = [shared, ...about.map((block) => block.commands), opens].join('\n')
    const { failed, output } = await run(commands, copy, message.evidence)
    expect(failed ? output.slice(-1500) : 'all true').toBe('all true')
    const lines = output.split('\n')
    expect(lines.filter((line) => line === 'Verified OK')).toHaveLength(2) // statement, passkey
    expect(lines).toContain(`opened ${message.receipt.message.commitment}`)
    for (const change of openingFaults) {
      const opening = structuredClone(message.opening)
      change(opening)
      await writeFile(join(copy, 'opening.json'), JSON.stringify(opening))
      expect({ change: String(change), ...(await run(`${shared}\n${opens}`, copy)) }).toMatchObject({ failed: true })
    }
    await rm(copy, { recursive: true })
  })

  test('find a good birth to be good, and refuse a changed one', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'perigee-by-hand-'))
    await cp(folder, copy, { recursive: true, verbatimSymlinks: true })
    const all = blocks.filter(({ name }) => !notOfBirths.includes(name))
    const { failed, output } = await run(all.map(({ commands }) => commands).join('\n'), copy, minted.evidence.birth)
    expect(failed ? output.slice(-1500) : 'all true').toBe('all true')
    const lines = output.split('\n')
    expect(lines.filter((line) => line === 'Verified OK')).toHaveLength(7) // as for a transaction
    expect(lines).toContain('ACCEPTED')
    for (const [name, change] of birthFaults) {
      const birth = structuredClone(minted.birth)
      change(birth)
      await writeFile(join(copy, 'receipt.json'), receiptBytes(birth))
      const { commands } = blocks.find((block) => block.name === name)!
      expect({ change: String(change), ...(await run(`${shared}\n${commands}`, copy)) }).toMatchObject({ failed: true })
    }
    await rm(copy, { recursive: true })
  })

  test.each(Object.keys(faults))('refuse a changed receipt: %s', async (name) => {
    const { commands } = blocks.find((block) => block.name.replace("'", '’') === name)!
    for (const fault of faults[name]!) {
      const copy = await mkdtemp(join(tmpdir(), 'perigee-by-hand-'))
      await cp(folder, copy, { recursive: true, verbatimSymlinks: true })
      const receipt = structuredClone(minted.receipt)
      if (typeof fault !== 'string') fault(receipt)
      await writeFile(join(copy, 'receipt.json'), receiptBytes(receipt))
      const { failed, output } = await run(`${shared}\n${commands}`, copy, {
        from: typeof fault === 'string' ? liar : gateway,
      })
      expect({ fault: String(fault), failed, output }).toMatchObject({ failed: true })
      await rm(copy, { recursive: true })
    }
  })
})

/** One bit changed in the middle. */
function spoilt(bytes: Uint8Array): Uint8Array {
  const changed = bytes.slice()
  const middle = changed.length >> 1
  changed[middle] = (changed[middle] as number) ^ 1
  return changed
}
