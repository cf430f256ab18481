import { expect, test } from 'vitest'
import { freePort } from '../../dev/stack/processes/freePort.js'
import { installRuntimeWithMetrics } from '../../tests/rigs/workers/quietRuntime.js'
import { createEntropyMeter } from './createEntropyMeter.js'
import type { SupplySnapshot } from './supply/keepFilled.js'

const snapshot = (taken: number, failed: number): SupplySnapshot => ({
  state: 'low',
  level: 3,
  target: 64,
  oldestAgeSeconds: 12,
  taken,
  unavailable: 1,
  sources: {
    sat: {
      state: 'open',
      samplesPerDay: null,
      fetched: 12,
      failures: { entropy_invalid: failed },
      lastFailure: 'entropy_invalid',
    },
  },
})

test('level, age, and failures by source stand on the worker’s Prometheus page', async () => {
  const bindAddress = `127.0.0.1:${await freePort()}`
  const { metricMeter } = await installRuntimeWithMetrics(bindAddress)
  const report = createEntropyMeter(metricMeter)
  report(snapshot(9, 2))
  report(snapshot(11, 5))
  const page = await (await fetch(`http://${bindAddress}/metrics`)).text()
  const value = (name: string, ...labels: string[]): number | undefined => {
    const line = page.split('\n').find((text) => text.startsWith(name) && labels.every((label) => text.includes(label)))
    return line === undefined ? undefined : Number(line.split(' ').at(-1))
  }
  expect(value('perigee_entropy_supply_level')).toBe(3)
  expect(value('perigee_entropy_supply_oldest_age')).toBe(12)
  expect(value('perigee_entropy_taken')).toBe(11)
  expect(value('perigee_entropy_failures', 'source="sat"', 'code="entropy_invalid"')).toBe(5)
  expect(value('perigee_entropy_source_state', 'source="sat"', 'state="open"')).toBe(1)
  expect(value('perigee_entropy_source_state', 'source="sat"', 'state="closed"')).toBe(0)
})
