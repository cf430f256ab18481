import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { toEventSelector, type Abi, type AbiEvent } from 'viem'
import { auditLogAnchored } from '@perigee/core/auditLog'
import { attestationPublished } from '@perigee/core/proof'
import { releaseAnnounced, releaseWithdrawn } from '@perigee/core/releases'
import { serviceAttestationsAbi } from './abi/ServiceAttestations.js'
import { serviceReleasesAbi } from './abi/ServiceReleases.js'
import { foundryBinary } from './foundryBinary.js'
import { compileContracts, contractNames, generateAbi, readAbi } from './generate.js'

interface ForgeSuite {
  test_results: Record<string, { status: string; reason: string | null }>
}

const here = fileURLToPath(new URL('.', import.meta.url))

beforeAll(compileContracts)
test.each(contractNames)(
  'the committed ABI and bytecode of %s are what the sources compile to',
  async (name) => {
    expect(await generateAbi(name)).toBe(await readAbi(name))
  },
  60_000,
)

const abi: Abi = [...serviceAttestationsAbi, ...serviceReleasesAbi]
test.each([
  [attestationPublished, '0x1a85ecbef58dd9f2ba6c675cd83d16bb690e0c547fc5aea56486a4ba6c253601'],
  [auditLogAnchored, '0xa3703e40369ff6ea24267f2a8d66c1b752382a77147e41433486b3323478a762'],
  [releaseAnnounced, '0x76c44c97e373744e72f470e24a769d8ec7d375a0b35bbd26482625b8875d2e4e'],
  [releaseWithdrawn, '0x947e6a879af0ae0fa09d20eb25cb2a443bfea3445a76b25d712dbb2074a9852a'],
] as const)('the event that readers look for is the contract’s: $name', (expected, selector) => {
  const event = abi.find((item) => item.type === 'event' && item.name === expected.name) as AbiEvent | undefined
  expect(event?.inputs.map((input) => ({ indexed: false, ...input }))).toEqual(expected.inputs)
  expect(toEventSelector(expected)).toBe(selector)
})

describe('forge', () => {
  const ran = spawnSync(foundryBinary('forge'), ['test', '--json'], { cwd: here, encoding: 'utf8', timeout: 120_000 })
  const suites = JSON.parse(ran.stdout || '{}') as Record<string, ForgeSuite>
  const results = Object.values(suites).flatMap((suite) => Object.entries(suite.test_results))

  test('runs the contract tests', () => {
    expect(results.length, ran.stderr).toBeGreaterThanOrEqual(30)
  })

  test.each(results)('%s', (_name, { status, reason }) => {
    expect({ status, reason }).toEqual({ status: 'Success', reason: null })
  })
})
