import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stepNames } from '@perigee/core/receipt/verify'
import { birthJsonSchema, receiptJsonSchema } from '@perigee/core/receipt'
import { blocksOf, mintReceipt } from '../core/receipt/testing/mintReceipt.js'
import { createSampleOwner } from '../core/receipt/testing/sampleOwner.js'
import { createSimulatedWorld } from '../core/receipt/testing/simulatedWorld.js'
import { serveBlocks, serveChain } from './testing/servers.js'

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
  for (const name of names(receiptJsonSchema())) expect(page).toContain(`\`${name}\``)
  for (const name of names(birthJsonSchema())) expect(page).toMatch(new RegExp(`\`(key\\.|authorisation\\.)?${name}\``))
})

test.skipIf(missing.length > 0)(
  'the commands on docs/receipt-v1.md check a receipt by hand',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'perigee-by-hand-'))
    const minted = mintReceipt(await createSimulatedWorld(), { owner: createSampleOwner() })
    const { evidence, receipt, anchors } = minted
    const [gateway, node] = [
      await serveBlocks(blocksOf(minted)),
      await serveChain([...evidence.events, ...evidence.birth.events], { releases: evidence.releases.announcements }),
    ]
    try {
      await writeFile(join(folder, 'trust.json'), JSON.stringify(anchors))
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
      const program = `'${process.execPath}' --import '${import.meta.resolve('tsx')}' '${join(root, 'verifier/main.ts')}'`
      const byHand = page.slice(page.indexOf('## Check it by hand'))
      const script = [...byHand.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1])
      const text = ['set -eu', ...script]
        .join('\n')
        .replace('CID=bafkrei…', `CID=${evidence.cid}`)
        .replaceAll('https://ipfs.io', gateway.url)
        .replace('npm run verify --', program)
      const env = { ...process.env, RPC: node.url, CONTRACT: anchors.contracts[0]!.address, BLOCK: '0xc' }
      const output = await new Promise<string>((done, fail) => {
        execFile('bash', ['-c', text], { cwd: folder, env }, (error, stdout, stderr) =>
          error === null ? done(stdout) : fail(new Error(`${stdout}\n${stderr}`)),
        )
      })
      const { digest, txHash, from } = receipt.transaction
      const lines = output.split('\n')
      for (const pair of [digest, txHash, from]) expect(lines).toContain(`${pair} ${pair}`)
      expect(lines.filter((line) => line === evidence.cid).length).toBe(1)
      expect(lines.filter((line) => /^[0-9a-f]{128}$/.test(line)).sort()).toEqual(twiceEach(lines))
      expect(lines.filter((line) => line === 'Verified OK')).toHaveLength(4) // report, statement, passkey, quote
      const challenge = JSON.parse(receipt.authorisation.passkey?.clientDataJSON ?? '{}') as { challenge?: string }
      expect(lines.some((line) => line.startsWith(`${challenge.challenge} {`))).toBe(true)
      expect(lines.filter((line) => line.endsWith('.pem: OK'))).toHaveLength(2)
      for (const line of ['canonical', 'ACCEPTED', 'measurements.json: OK']) expect(lines).toContain(line)
      expect(lines.filter((line) => line === 'Signature Verified Successfully')).toHaveLength(2) // entropy, list of builds
      expect(output).toContain(`${evidence.cid}\0`) // the event's data, padded
      expect(output).toContain(`${evidence.birth.cid}\0`)
      expect(lines).toContain(`born ${minted.birth.key.createdAt} ${minted.birth.key.address}`)
    } finally {
      await Promise.all([gateway.close(), node.close()])
      await rm(folder, { recursive: true })
    }
  },
)

/** The two hashes that were computed, each found again inside quote or report. */
function twiceEach(lines: readonly string[]): string[] {
  const different = [...new Set(lines.filter((line) => /^[0-9a-f]{128}$/.test(line)))]
  expect(different).toHaveLength(2)
  return different.flatMap((line) => [line, line]).sort()
}
