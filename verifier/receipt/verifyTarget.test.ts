import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stepNames } from '@perigee/core/receipt/verify'
import { receiptBytes, trustAnchorsCid } from '@perigee/core/receipt'
import { blocksOf, mintReceipt, type Minted } from '../../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld, signedAt } from '../../core/receipt/testing/simulatedWorld.js'
import { jsonOf, runInProcess } from '../testing/runInProcess.js'
import { serve, serveBlocks, serveChain, type TestServer } from '../testing/servers.js'

let folder: string
let minted: Minted
let gateway: TestServer
let node: TestServer
let api: TestServer
const now = signedAt + 1000
const slug = 'c2x1Z3NsdWdzbHVnc2x1Zw'
const run = (...args: string[]) => runInProcess([...args], folder, now)
const online = () => ['--gateway', gateway.url, '--rpc', node.url, '--trust', 'trust.json']
const contract = () => minted.anchors.contracts[0]!.address

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-verifier-'))
  minted = mintReceipt(await createSimulatedWorld())
  const { evidence, receipt, anchors } = minted
  gateway = await serveBlocks(blocksOf(minted))
  node = await serveChain([...evidence.events, ...evidence.birth.events], { releases: evidence.releases.announcements })
  const { txHash, chainId, from } = receipt.transaction
  const proof = {
    slug,
    kind: 'transaction',
    txHash,
    chainId,
    walletAddress: from,
    ipfsCid: evidence.cid,
    status: 'complete',
    onchainTxHash: evidence.events[0]!.transactionHash,
    onchainBlockNumber: 12,
    more: 'ignored',
  }
  const answers: Record<string, object> = {
    [slug]: proof,
    other: { ...proof, slug: 'other', txHash: `0x${'01'.repeat(32)}` },
    renamed: proof,
    pending: { ...proof, slug: 'pending', ipfsCid: null, status: 'pending_pin' },
  }
  api = await serve((path) => {
    const answer = answers[/^\/proof\/(.+)$/.exec(path)?.[1] ?? '']
    if (answer) return { body: JSON.stringify(answer) }
    return path === `/page/${slug}` ? { type: 'text/html', body: '<!doctype html>' } : null
  })
  await writeFile(join(folder, 'trust.json'), JSON.stringify(anchors))
  await writeFile(join(folder, 'receipt.json'), evidence.receipt)
})
afterAll(async () => {
  await Promise.all([gateway.close(), node.close(), api.close()])
  await rm(folder, { recursive: true })
})

describe('verify', () => {
  test.each<[string, () => string]>([
    ['a CID', () => minted.evidence.cid],
    ['an ipfs address', () => `ipfs://${minted.evidence.cid}`],
    ['a gateway’s URL', () => `${gateway.url}/ipfs/${minted.evidence.cid}`],
    ['a transaction hash', () => minted.receipt.transaction.txHash],
    ['a proof URL', () => `${api.url}/proof/${slug}`],
    ['a file', () => 'receipt.json'],
  ])('finds and verifies a receipt by %s', async (_, target) => {
    const outcome = await run(target(), ...online(), '--json')
    expect(jsonOf(outcome)).toMatchObject({
      verified: true,
      simulated: true,
      failed: [],
      skipped: [],
      cid: minted.evidence.cid,
      notes: [],
      trust: { source: 'trust.json', cid: trustAnchorsCid(minted.anchors), simulated: true },
    })
    expect(outcome).toMatchObject({ exit: 0, stderr: expect.stringContaining('fetching collateral') })
  })

  test('prints one numbered line for each step and says SIMULATED', async () => {
    const { stdout } = await run(minted.evidence.cid, ...online())
    const lines = stdout.split('\n')
    expect(lines.filter((line) => /^ ?\d+ PASS [a-z_]+ {2,}\S/.test(line))).toHaveLength(stepNames.length)
    expect(lines.at(-1)).toBe('VERIFIED. SIMULATED: it proves nothing about hardware')
  })

  test('asks the service itself when a page’s URL answers HTML', async () => {
    const page = `${api.url}/page/${slug}`
    expect((await run(page, ...online(), '--api', api.url)).exit).toBe(0)
    const without = await run(page, ...online(), '--json')
    expect(jsonOf(without)).toMatchObject({ verified: false, code: 'service_unavailable' })
  })

  test('says that a receipt is not published yet, or unknown', async () => {
    const pending = await run(`${api.url}/proof/pending`, ...online(), '--json')
    expect(jsonOf(pending)).toMatchObject({ code: 'evidence_missing', facts: { status: 'pending_pin' } })
    expect(pending.exit).toBe(1)
    const unknown = await run(`${api.url}/proof/unknown`, ...online())
    const host = new URL(api.url).host
    const stdout = `NOT VERIFIED [proof_not_found] ${host} knows no proof unknown`
    expect(unknown).toMatchObject({ exit: 1, stdout })
    const page = await run(`${api.url}/p/unknown`, ...online())
    expect(page).toMatchObject({ exit: 1, stdout: expect.stringContaining('give the service with --api') })
    expect(await run(`${api.url}/p/unknown`, ...online(), '--api', api.url)).toMatchObject({ exit: 1, stdout })
  })

  test('says what to type where the target is a file that is not there', async () => {
    const { exit, stderr } = await run(`localhost/p/${slug}`)
    expect(exit).toBe(2)
    expect(stderr).toMatch(
      /^there is no file localhost\/p\/.*; the URL of a proof begins with http, and a slug needs --api$/m,
    )
  })

  test.each(['other', 'renamed'])(
    'notices that the service answers for another transaction or slug: %s',
    async (name) => {
      const outcome = await run(`${api.url}/proof/${name}`, ...online(), '--json')
      expect(jsonOf(outcome)).toMatchObject({ verified: false, code: 'claim_mismatch' })
      expect(outcome.exit).toBe(1)
    },
  )

  test('prints nothing that could move a terminal’s cursor', async () => {
    const spoiled = structuredClone(minted.receipt)
    spoiled.signer.tcbStatus = '\u001b[2JUpToDate\u202e'
    await writeFile(join(folder, 'escape.json'), receiptBytes(spoiled))
    const { stdout } = await run('escape.json', ...online())
    expect(stdout).toContain('?[2JUpToDate?')
    expect(/[\u001b\u202e]/.test(stdout)).toBe(false)
  })

  test('trusts no gateway: other bytes than asked for are refused', async () => {
    const liar = await serve(() => ({ body: 'something else' }))
    const lied = await run(minted.evidence.cid, '--no-stack', '--gateway', liar.url, '--offline')
    expect(lied.exit).toBe(2) // a CID cannot be had offline
    const { exit } = await run(minted.evidence.cid, '--gateway', liar.url, ...online())
    expect(exit).toBe(0) // the second gateway is honest
    expect(liar.asked[0]).toBe(`/ipfs/${minted.evidence.cid}?format=raw`)
    await liar.close()
  })

  test('fails the event step without a node, with another contract, and with an event it cannot find', async () => {
    const known = ['receipt.json', '--gateway', gateway.url, '--trust', 'trust.json', '--json']
    const noNode = jsonOf(await run(...known))
    expect(noNode.failed).toEqual(['cid', 'release_list', 'measurements', 'onchain_event', 'birth'])
    expect(noNode.notes).toEqual(
      [/^events.*--rpc/, /^lists of builds.*--rpc/].map((note) => expect.stringMatching(note)),
    )
    expect(noNode.unchecked).toEqual(noNode.failed)
    const other = jsonOf(await run(...known, '--rpc', node.url, '--contract', `0x${'01'.repeat(20)}`))
    expect(other.failed).toContain('onchain_event')
    const late = jsonOf(await run(...known, '--rpc', node.url, '--from-block', '13'))
    expect(late.failed).toContain('onchain_event')
    const same = await run(...known, '--rpc', node.url, '--contract', contract().toUpperCase().replace('0X', '0x'))
    expect(same.exit).toBe(0)
  })

  test('verifies by every name with a node that refuses to search the whole chain', async () => {
    const { events, birth, releases } = minted.evidence
    const high = [...events, ...birth.events].map((event) => ({ ...event, confirmations: 2000 }))
    const small = await serveChain(high, { maxRange: 99, releases: releases.announcements })
    const places = ['--gateway', gateway.url, '--rpc', small.url, '--trust', 'trust.json']
    for (const target of [`${api.url}/proof/${slug}`, minted.evidence.cid, minted.receipt.transaction.txHash]) {
      const { exit, stderr } = await run(target, ...places)
      expect([target, exit]).toEqual([target, 0])
      expect(stderr).toMatch(/searched up to block \d+ of \d+/)
    }
    await small.close()
  })

  test('says that a source is away, and not that the receipt is wrong', async () => {
    const closed = await serve(() => ({ status: 500, body: '' }))
    const { exit, stdout } = await run(minted.evidence.cid, '--gateway', gateway.url, '--rpc', closed.url, '--trust', 'trust.json') // prettier-ignore
    await closed.close()
    expect(exit).toBe(1)
    expect(stdout).toMatch(/FAIL onchain_event +\[evidence_missing\] the event could not be fetched: the chain’s node: .* answered 500/) // prettier-ignore
    expect(stdout.split('\n').at(-1)).toMatch(/^NOT VERIFIED: 4 could not be checked, because evidence is missing: /)
  })

  test('asks a busy node again', async () => {
    let calls = 0
    const busy = await serve(() => (calls++ % 2 === 0 ? { status: 429, body: '' } : { body: '{"result":"0x1"}' }))
    const { failed, notes } = jsonOf(await run('receipt.json', '--rpc', busy.url, '--trust', 'trust.json', '--json'))
    await busy.close()
    expect(failed).toContain('onchain_event')
    expect(JSON.stringify(notes)).toMatch(/name no contract on chain 1 /)
  })

  test('verifies a birth by itself, and says whose it is', async () => {
    const { exit, stdout } = await run(minted.evidence.birth.cid, ...online())
    expect(stdout).toContain(`birth   of the key of ${minted.birth.key.address}`)
    expect([exit, stdout.includes('VERIFIED')]).toEqual([0, true])
  })

  test('does without a step only when asked, and names it', async () => {
    const skipped = ['cid', 'release_list', 'measurements', 'onchain_event']
    const { exit, stdout } = await run('receipt.json', ...online(), ...skipped.flatMap((step) => ['--skip', step]))
    expect(exit).toBe(3)
    expect(stdout).toContain(
      'NOT VERIFIED: you left out 4 of its steps: cid, release_list, measurements, onchain_event. None of the others failed.',
    )
    expect(stdout).toMatch(/SKIP onchain_event/)
    for (const step of ['signature', 'no_such_step']) {
      expect((await run('receipt.json', ...online(), '--skip', step)).exit).toBe(2)
    }
  })

  test('does not verify a simulated receipt under the built-in roots', async () => {
    const { exit, stdout } = await run(minted.evidence.cid, '--gateway', gateway.url, '--rpc', node.url)
    expect(exit).toBe(1)
    expect(stdout).toMatch(/FAIL quote +\[development_root\]/)
    expect(stdout).toMatch(/\nNOT VERIFIED: \d+ failed: /)
  })

  test('prints the hashed bytes with --explain', async () => {
    const { stdout } = await run(minted.evidence.cid, ...online(), '--explain')
    expect(stdout).toContain(`0x${Buffer.from(minted.evidence.receipt).toString('hex')}`)
    expect(stdout).toMatch(/sha-512 of sign binding \(\d+ bytes\) = 0x[0-9a-f]{128}/)
  })
})
