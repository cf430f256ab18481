import { expect, test } from 'vitest'
import { linkFaults } from '../network/createLink.js'
import { linkNames, planFaults, targets } from './plan.js'

test('the same seed plans the same faults, another seed others', () => {
  const input = { seed: 42, kills: 30, durationMs: 60_000 }
  expect(planFaults(input)).toEqual(planFaults(input))
  expect(planFaults(input)).not.toEqual(planFaults({ ...input, seed: 43 }))
})

test('the long run kills every kind at least ten times and tries every fault on every link', () => {
  const plan = planFaults({ seed: 1, kills: 160, durationMs: 1_600_000 })
  for (const target of targets) {
    expect(plan.filter((fault) => fault.kind === 'kill' && fault.target === target).length).toBeGreaterThanOrEqual(10)
  }
  const tried = new Set(plan.flatMap((fault) => (fault.kind === 'link' ? [`${fault.link} ${fault.fault}`] : [])))
  expect(tried.size).toBe(linkNames.length * linkFaults.length)
  expect(plan.filter(({ kind }) => kind === 'reorg').length).toBeGreaterThan(5)
  expect(plan.filter(({ kind }) => kind === 'restart-everything').length).toBeGreaterThan(1)
  expect(plan.map(({ atMs }) => atMs)).toEqual(plan.map(({ atMs }) => atMs).sort((a, b) => a - b))
})

test('the short run kills every kind once', () => {
  const plan = planFaults({ seed: 5, kills: 10, durationMs: 80_000 })
  const killed = plan.flatMap((fault) => (fault.kind === 'kill' ? [fault.target] : []))
  expect(new Set(killed)).toEqual(new Set(targets))
})
