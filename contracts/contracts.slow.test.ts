import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { toEventSelector } from 'viem'
import { attestationPublished } from '@perigee/core/proof'
import { serviceAttestationsAbi } from './abi/ServiceAttestations.js'
import { foundryBinary } from './foundryBinary.js'
import { generateAbi, readAbi } from './generate.js'

interface ForgeSuite {
  test_results: Record<string, { status: string; reason: string | null }>
}

const here = fileURLToPath(new URL('.', import.meta.url))

test('the committed ABI and bytecode are what the sources compile to', async () => {
  expect(await generateAbi()).toBe(await readAbi())
}, 60_000)

test('the event that readers look for is the contract’s', () => {
  const event = serviceAttestationsAbi.find((item) => item.type === 'event' && item.name === attestationPublished.name)
  expect(event?.inputs.map((input) => ({ indexed: false, ...input }))).toEqual(attestationPublished.inputs)
  expect(toEventSelector(attestationPublished)).toBe(
    '0x1a85ecbef58dd9f2ba6c675cd83d16bb690e0c547fc5aea56486a4ba6c253601',
  )
})

describe('forge', () => {
  const ran = spawnSync(foundryBinary('forge'), ['test', '--json'], { cwd: here, encoding: 'utf8', timeout: 120_000 })
  const suites = JSON.parse(ran.stdout || '{}') as Record<string, ForgeSuite>
  const results = Object.values(suites).flatMap((suite) => Object.entries(suite.test_results))

  test('runs the contract tests', () => {
    expect(results.length, ran.stderr).toBeGreaterThanOrEqual(13)
  })

  test.each(results)('%s', (_name, { status, reason }) => {
    expect({ status, reason }).toEqual({ status: 'Success', reason: null })
  })
})
