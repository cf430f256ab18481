import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { foundryBinary } from './foundryBinary.js'
import { generateAbi, readAbi } from './generate.js'

interface ForgeSuite {
  test_results: Record<string, { status: string; reason: string | null }>
}

const here = fileURLToPath(new URL('.', import.meta.url))

test('the committed ABI and bytecode are what the sources compile to', async () => {
  expect(await generateAbi()).toBe(await readAbi())
}, 60_000)

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
