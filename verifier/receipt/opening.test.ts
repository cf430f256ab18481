import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printBundle } from '@perigee/core/receipt/gather'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hexOfText } from '../../core/message/testing/texts.js'
import { mintMessage, type MintedMessage } from '../../core/receipt/testing/mintMessage.js'
import { mintReceipt } from '../../core/receipt/testing/mintReceipt.js'
import { anchorsOf, createSimulatedWorld, signedAt } from '../../core/receipt/testing/simulatedWorld.js'
import { jsonOf, runInProcess } from '../testing/runInProcess.js'

let folder: string
let minted: MintedMessage
const write = (name: string, value: unknown) =>
  writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
const verify = (bundle: string, ...args: string[]) =>
  runInProcess([bundle, '--offline', '--trust', 'trust.json', ...args], folder, signedAt + 1000)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-opening-'))
  const world = await createSimulatedWorld()
  minted = mintMessage(world, { scheme: 'eip191', message: hexOfText('I agree') })
  await write('trust.json', anchorsOf(world))
  await write('message.json', printBundle({ evidence: minted.evidence, anchors: null }))
  await write('transaction.json', printBundle({ evidence: mintReceipt(world).evidence, anchors: null }))
  await write('opening.json', minted.opening)
})
afterAll(() => rm(folder, { recursive: true }))

test('without an opening the content is named as not checked', async () => {
  const { exit, stdout } = await verify('message.json')
  expect(exit).toBe(3) // offline: events are not checked
  expect(stdout).toContain(`message ${minted.receipt.message.commitment} (commitment) signed by`)
  expect(stdout).toMatch(/SKIP opening {2,}no opening was given/)
  expect(stdout).not.toContain('I agree')
})

test('the opening shows the content, checked', async () => {
  const { exit, stdout } = await verify('message.json', '--opening', 'opening.json')
  expect(exit).toBe(3)
  expect(stdout).toMatch(/PASS opening {2,}the wallet signed a message: "I agree"/)
})

test('a wrong opening fails', async () => {
  await write('wrong.json', { ...minted.opening, message: { scheme: 'eip191', message: hexOfText('I disagree') } })
  const wrong = await verify('message.json', '--opening', 'wrong.json', '--json')
  expect(wrong.exit).toBe(1)
  expect(jsonOf(wrong)).toMatchObject({ verified: false, failed: ['opening'] })
})

test('a member named twice, and an opening for a transaction, are refused', async () => {
  await write('twice.json', JSON.stringify(minted.opening).replace('{', '{"salt":"0x00",'))
  expect((await verify('message.json', '--opening', 'twice.json')).exit).not.toBe(0)
  expect((await verify('transaction.json', '--opening', 'opening.json')).exit).toBe(2)
})
