import { expect, test, vi } from 'vitest'
import { TemporalProblem, type checkTemporal } from '../../temporal/index.js'
import { createTemporalAccess } from './createTemporalAccess.js'

function accessAfter(check: typeof checkTemporal) {
  const place = { address: 'temporal:7233' } as Parameters<typeof checkTemporal>[0]
  return createTemporalAccess(place, { warn: vi.fn() }, check)
}

test.each(['temporal_unauthorised', 'temporal_tls', 'temporal_namespace_missing'] as const)(
  '%s is a refusal, asked again the next time',
  async (code) => {
    const check = vi.fn(() => Promise.reject(new TemporalProblem(code, 'temporal.internal:7233 …')))
    const access = accessAfter(check)
    for (let n = 0; n < 2; n++) {
      await expect(access()).rejects.toMatchObject({ message: `Temporal refuses this process: ${code}` })
    }
    expect(check).toHaveBeenCalledTimes(2)
  },
)

test('an outage refuses nobody', async () => {
  await accessAfter(() => Promise.reject(new TemporalProblem('temporal_unreachable', 'nothing answers')))()
})

test('probes that come while a check is under way share it', async () => {
  const check = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 20)))
  const access = accessAfter(check)
  await Promise.all([access(), access()])
  expect(check).toHaveBeenCalledTimes(1)
})
