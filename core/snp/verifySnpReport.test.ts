import { expect, test } from 'vitest'
import { encodePem } from '../x509/testing/encodePem.js'
import { createSnpCases } from './testing/snpCases.js'
import { verifySnpReport } from './index.js'

const cases = await createSnpCases()

test.each(cases.filter(({ expect: wanted }) => 'vmpl' in wanted))('accepts $name', async (item) => {
  await expect(verifySnpReport(item.evidence, item.options)).resolves.toMatchObject(item.expect)
})

test.each(cases.filter(({ expect: wanted }) => 'code' in wanted))('refuses $name', async (item) => {
  await expect(verifySnpReport(item.evidence, item.options)).rejects.toMatchObject(item.expect)
})

test('names the chip by its certificate even when the report masks it', async () => {
  const masked = cases.find(({ name }) => name === 'a report that masks its chip') as (typeof cases)[number]
  const verdict = await verifySnpReport(masked.evidence, masked.options)
  expect(verdict.chipId).toBe(`0x${'00'.repeat(64)}`)
  expect(verdict.hardwareId).toBe(`0x${'c1'.repeat(64)}`)
})

test('takes certificates as PEM too', async () => {
  const { evidence, options } = cases[0] as (typeof cases)[number]
  const pem = (der: Uint8Array) => new TextEncoder().encode(encodePem(der))
  const { report, vek, intermediate, root } = evidence
  const asPem = { report, vek: pem(vek), intermediate: pem(intermediate), root: pem(root) }
  await expect(verifySnpReport(asPem, options)).resolves.toMatchObject({ product: 'Milan' })
})

test('leaves the caller’s bytes alone and remembers nothing that the caller can still change', async () => {
  const { evidence, options } = cases[0] as (typeof cases)[number]
  const report = Buffer.from(evidence.report)
  const root = Buffer.from(evidence.root)
  for (let i = 0; i < 2; i++) {
    await expect(verifySnpReport({ ...evidence, report, root }, options)).resolves.toMatchObject({ product: 'Milan' })
  }
  expect(report.equals(evidence.report)).toBe(true)
  root.fill(0)
  await expect(verifySnpReport(evidence, options)).resolves.toMatchObject({ product: 'Milan' })
})
