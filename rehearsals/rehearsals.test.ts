import { expect, test, vi } from 'vitest'
import { parseArguments } from './parseArguments.js'
import { record, verdict, type Report } from './report.js'

const known = [
  { name: 'restore', title: 'a restore' },
  { name: 'upgrade', title: 'an upgrade' },
]

test('takes the name of a rehearsal and its options', () => {
  expect(parseArguments(['upgrade', '--rate', '0.5', '--record'], known)).toEqual({
    name: 'upgrade',
    rate: 0.5,
    record: true,
    keep: false,
  })
})

test.each([[[]], [['unknown']], [['restore', 'upgrade']], [['restore', '--rate', '0']], [['restore', '--fast']]])(
  'refuses %j as wrong usage',
  (args) => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`)
    })
    expect(() => parseArguments(args, known)).toThrow('exit 2')
    expect(said).toHaveBeenLastCalledWith('See: npm run rehearse -- --help\n')
    said.mockRestore()
    exit.mockRestore()
  },
)

const report = {
  name: 'upgrade',
  takenAt: new Date('2026-11-17T04:00:00Z'),
  ms: 65_000,
  steps: [{ doing: 'APIs restarted in turn', seconds: 12.5 }],
  notes: ['two nodes'],
  problems: [],
  load: { requests: 60, failed: 0, longestMs: 1_234 },
  check: { signatures: 61, events: 64 },
} as unknown as Report

test('the last line is the verdict, and the record has every step', () => {
  const line = 'upgrade: passed in 1m 5s; 60 requests, 0 failed, the longest 1.2 s; 61 signatures, 64 events checked'
  expect(verdict(report)).toBe(line)
  expect(verdict({ ...report, problems: ['a receipt is missing'] })).toContain('upgrade: FAILED')
  expect(record(report).split('\n')).toEqual([
    `Run of 2026-11-17: ${line}.`,
    '',
    '| Step | Time |',
    '| --- | --- |',
    '| APIs restarted in turn | 12.5 s |',
    '',
    '- two nodes',
  ])
})
