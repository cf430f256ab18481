import { describe, expect, test } from 'vitest'
import { parseArguments } from './parseArguments.js'
import { parseTarget } from './receipt/parseTarget.js'
import { runInProcess } from './testing/runInProcess.js'
import { UsageError } from '@perigee/core/config'

const cid = 'bafkreidu66x7r7h5mb5ofxjmsbb2cgktwsmqm3yszmh7xsvedgkqgvr3zm'

describe('parseArguments', () => {
  test('asks for help wherever the flag stands', () => {
    for (const args of [['--help'], ['-h'], ['help'], ['quote', '--help'], ['x', '--json', '-h']]) {
      expect(parseArguments(args)).toEqual({ command: 'help', text: expect.stringContaining('--json') })
    }
  })

  test('takes a slug that begins with a dash for what to verify', () => {
    const slug = '-AeCgu6h_LxudEMUbJ0pQMtc'
    expect(parseArguments([slug, '--api', 'http://d'])).toMatchObject({ target: slug, api: 'http://d' })
    expect(parseTarget(slug, 'http://d')).toEqual({ kind: 'proof', slug, url: `http://d/proof/${slug}` })
  })

  test('names an unknown option in one line, with the closest one', async () => {
    const { exit, stderr } = await runInProcess(['a', '--ofline'])
    expect([exit, stderr]).toEqual([2, "unknown option '--ofline' (Did you mean --offline?)\nTry --help."])
  })

  test('reads every option of a receipt', () => {
    const args = `x --gateway http://a/ --gateway https://b --rpc http://c/key --contract 0x${'AB'.repeat(20)} --from-block 5
      --api http://d/ --trust t --no-stack --at 7 --now --collateral n --skip cid --skip quote --confirmations 2 --offline --save-bundle f
      --json --explain`
    expect(parseArguments(args.split(/\s+/))).toEqual({
      command: 'receipt',
      target: 'x',
      gateways: ['http://a', 'https://b'],
      rpc: 'http://c/key',
      contract: `0x${'ab'.repeat(20)}`,
      fromBlock: 5,
      api: 'http://d',
      trust: 't',
      stack: false,
      at: 7,
      now: true,
      collateral: 'n',
      skip: ['cid', 'quote'],
      confirmations: 2,
      offline: true,
      saveBundle: 'f',
      json: true,
      explain: true,
    })
  })

  test.each([
    '',
    'quote',
    'snp-report',
    'quote f --collateral c --root r',
    'quote f --collateral c --root r --at soon',
    'quote f g --collateral c --root r --at 1',
    'quote --collateral c --root r --at 1',
    'quote f --collateral c --root r --at 1 --rpc http://a',
    'snp-report f --vek v --intermediate i --root r --at 1 --vmpl 4',
    'a b',
    'a --wrong',
    'a --at',
    'a --at 1.5',
    'a --rpc file:///etc/passwd',
    'a --gateway nowhere',
    'a --contract 0x12',
    'a --confirmations -1',
  ])('refuses "%s" as wrong usage', async (line) => {
    const args = line.split(' ').filter(Boolean)
    expect(() => parseArguments(args)).toThrow(UsageError)
    const { exit, stdout, stderr } = await runInProcess(args)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toContain('--help')
    const json = await runInProcess([...args, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ code: 'invalid_request' })
  })
})

describe('parseTarget', () => {
  test.each([
    [cid, { kind: 'cid', cid }],
    [`ipfs://${cid}`, { kind: 'cid', cid }],
    [`https://a.example/ipfs/${cid}?x=1`, { kind: 'cid', cid, gateway: 'https://a.example' }],
    [`0x${'AB'.repeat(32)}`, { kind: 'transaction', txHash: `0x${'ab'.repeat(32)}` }],
    ['https://a.example/proof/slug', { kind: 'proof', slug: 'slug', url: 'https://a.example/proof/slug' }],
    ['receipt.json', { kind: 'file', path: 'receipt.json' }],
    ['0x1234', { kind: 'file', path: '0x1234' }],
    ['http://', { kind: 'file', path: 'http://' }],
  ])('takes %s for what it is', (text, target) => {
    expect(parseTarget(text)).toEqual(target)
  })

  test.each([
    [`0x${'ab'.repeat(20)}`, /is a wallet: put the word wallet before it/],
    ['https://a.example/', /names no proof/],
    ['http://localhost:5173', /names no proof/],
  ])('says why %s is none', (text, why) => {
    expect(() => parseTarget(text, 'http://a')).toThrow(UsageError)
    expect(() => parseTarget(text, 'http://a')).toThrow(why)
  })

  test('takes a slug for one only when a service is known', () => {
    const slug = 'c2x1Z3NsdWdzbHVnc2x1Zw'
    expect(parseTarget(slug, 'http://a')).toEqual({ kind: 'proof', slug, url: `http://a/proof/${slug}` })
    expect(parseTarget(slug)).toEqual({ kind: 'file', path: slug })
    expect(parseTarget('bundle.json', 'http://a')).toEqual({ kind: 'file', path: 'bundle.json' })
  })
})
