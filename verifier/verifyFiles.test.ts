import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fromHex, toHex } from '@perigee/core'
import { mintSnpReport } from '@perigee/core/simulation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSnp } from '../core/receipt/testing/simulatedWorld.js'
import { codeOf, fixturesDir, quoteArguments, snpArguments, snpCases, tdxCases } from './testing/fixtures.js'
import { jsonOf, runInProcess } from './testing/runInProcess.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perigee-verifier-'))
})
afterAll(() => rm(folder, { recursive: true }))

const withValue = (args: string[], flag: string, value: string) =>
  args.map((arg, index) => (args[index - 1] === flag ? value : arg))
const without = (args: string[], flag: string) => args.filter((arg, i) => arg !== flag && args[i - 1] !== flag)

describe.skipIf(tdxCases().length === 0)('verify quote', () => {
  test.each(tdxCases().map((one) => [one.name, one] as const))('gives %s its adjudicated verdict', async (_, one) => {
    const outcome = await runInProcess([...quoteArguments(one), '--json'])
    const { accept, reason, tcbStatus, advisoryIds } = one.expect
    const expected = accept ? { accept, tcbStatus, advisoryIds } : { accept, code: codeOf(reason ?? '') }
    expect(jsonOf(outcome)).toMatchObject(expected)
    expect(outcome.exit).toBe(accept ? 0 : 1)
  })

  const args = () => quoteArguments(tdxCases()[0]!)

  test('says ACCEPTED or REFUSED with the reason when not asked for JSON', async () => {
    expect((await runInProcess(args())).stdout).toMatch(/^ACCEPTED\n(.|\n)*tcbStatus +UpToDate/)
    const later = await runInProcess(withValue(args(), '--at', '1754006400'))
    expect(later).toMatchObject({ exit: 1, stdout: expect.stringMatching(/^REFUSED\ncode +collateral_expired/) })
  })

  test('reads the quote in hex and the root in PEM', async () => {
    const quote = readFileSync(args()[1]!)
    const root = new X509Certificate(readFileSync(resolve(fixturesDir, 'tdx/intel-sgx-root-ca.der'))).toString()
    await writeFile(join(folder, 'quote.hex'), `0x${quote.toString('hex')}\n`)
    await writeFile(join(folder, 'root.pem'), root)
    const given = withValue(withValue(args(), 'quote', 'quote.hex'), '--root', 'root.pem')
    expect((await runInProcess(given, folder)).exit).toBe(0)
    const lines = quote.toString('hex').toUpperCase().replace(/.{60}/g, '$&\r\n') // as xxd prints it
    await writeFile(join(folder, 'quote.hex'), `0X${lines}\n`)
    expect((await runInProcess(given, folder)).exit).toBe(0)
  })

  test('refuses collateral that names a member twice', async () => {
    const text = readFileSync(resolve(fixturesDir, args()[args().indexOf('--collateral') + 1]!), 'utf8')
    await writeFile(join(folder, 'twice.json'), text.replace('{', '{"tcb_info":"{}",'))
    const outcome = await runInProcess([...withValue(args(), '--collateral', 'twice.json'), '--json'], folder)
    expect(jsonOf(outcome)).toMatchObject({ accept: false, code: 'parse_failed' })
  })

  test.each(['--at', '--root', '--collateral'])('needs %s', async (flag) => {
    expect(await runInProcess(without(args(), flag))).toMatchObject({ exit: 2, stderr: expect.stringContaining(flag) })
  })

  test.each(['', 'now', '1.5', '-1', '1e9', '0x10', '99999999999999999999'])('refuses %j as a time', async (at) => {
    expect((await runInProcess(withValue(args(), '--at', at))).exit).toBe(2)
  })

  test('refuses hostile files with a code and without a stack', async () => {
    const files: Record<string, string | Uint8Array> = {
      empty: '',
      text: 'this is not a quote',
      zeros: new Uint8Array(5000),
      json: '{"tcb_info":1}',
      array: '[1,2,3]',
      deep: '['.repeat(200_000),
      big: '',
    }
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    await truncate(join(folder, 'big'), 16 * 1024 * 1024 + 1)
    for (const name of Object.keys(files)) {
      for (const flag of ['quote', '--collateral', '--root']) {
        const outcome = await runInProcess([...withValue(args(), flag, name), '--json'], folder)
        expect([name, flag, outcome.exit]).toEqual([name, flag, 1])
        expect(jsonOf(outcome)).toMatchObject({ accept: false, code: expect.stringMatching(/^[a-z_]+$/) })
        expect(jsonOf(outcome).code).not.toBe('internal_error')
      }
    }
  })

  test('takes a missing file or a folder for wrong usage', async () => {
    for (const path of ['no-such-file', '.', '/dev/zero']) {
      expect((await runInProcess(withValue(args(), 'quote', path), folder)).exit).toBe(2)
    }
  })
})

describe.skipIf(snpCases().length === 0)('verify snp-report', () => {
  test.each(snpCases().map((one) => [one.name, one] as const))('gives %s its adjudicated verdict', async (_, one) => {
    const outcome = await runInProcess([...snpArguments(one), '--json'])
    const { accept, reason } = one.expect
    expect(jsonOf(outcome)).toMatchObject(accept ? { accept } : { accept, code: codeOf(reason ?? '') })
    expect(outcome.exit).toBe(accept ? 0 : 1)
  })

  const args = () => snpArguments(snpCases()[0]!)

  test('compares the privilege level when one is asked for', async () => {
    expect((await runInProcess([...args(), '--vmpl', '0'])).exit).toBe(0)
    const other = await runInProcess([...args(), '--vmpl', '1', '--json'])
    expect(jsonOf(other)).toMatchObject({ accept: false, code: 'vmpl_mismatch' })
    for (const wrong of ['4', '-1', 'x']) expect((await runInProcess([...args(), '--vmpl', wrong])).exit).toBe(2)
  })

  test('compares the chain with a list of revoked certificates when one is given', async () => {
    const now = 1_794_700_800
    const snp = await createSnp(now)
    const report = mintSnpReport({ reportData: new Uint8Array(64) }, snp.reportKeys)
    const files = { report: toHex(report), vek: snp.vek, ask: snp.intermediate, ark: snp.root, crl: snp.crl, revoking: await snp.revoking([2]) } // prettier-ignore
    for (const [name, hex] of Object.entries(files)) writeFileSync(join(folder, name), fromHex(hex))
    const verdictWith = (...crl: string[]) =>
      runInProcess(['snp-report', 'report', '--vek', 'vek', '--intermediate', 'ask', '--root', 'ark', '--at', String(now), '--json', ...crl], folder) // prettier-ignore
    expect(jsonOf(await verdictWith())).toMatchObject({ accept: true })
    expect(jsonOf(await verdictWith('--crl', 'crl'))).toMatchObject({ accept: true })
    expect(jsonOf(await verdictWith('--crl', 'revoking'))).toMatchObject({ accept: false, code: 'vek_revoked' })
    expect(jsonOf(await verdictWith('--crl', 'vek'))).toMatchObject({ accept: false, code: 'crl_invalid' })
  })

  test.each(['--at', '--root', '--vek', '--intermediate'])('needs %s', async (flag) => {
    expect(await runInProcess(without(args(), flag))).toMatchObject({ exit: 2, stderr: expect.stringContaining(flag) })
  })
})
