import { expect, test } from 'vitest'
import { auditHash, emptyLogHash } from './AuditEntry.js'
import { createAuditCheck, parseAuditLine, toAuditLine, type AuditAnchor, type AuditEntry } from './index.js'

/** A log whose events the writer chose, with right hashes throughout. */
function logOf(kinds: readonly string[]): AuditEntry[] {
  let previousHash = emptyLogHash
  return kinds.map((kind, index) => {
    const event = { sequence: index + 1, at: '2026-11-17T10:00:00.000Z', kind, subject: null, facts: { index } }
    const entry = { ...event, previousHash, hash: auditHash(event, previousHash) }
    previousHash = entry.hash
    return entry
  })
}

const kinds = ['sign_in', 'signature_requested', 'signature_recorded', 'sign_out', 'sign_in']
const log = logOf(kinds)
const anchorOf = (sequence: number, blockNumber: number): AuditAnchor => {
  const hash = log[sequence - 1]?.hash ?? emptyLogHash
  return { sequence, hash, cid: 'bafk', blockNumber, transactionHash: '0x01' }
}
const anchors = [anchorOf(0, 7), anchorOf(2, 70), anchorOf(4, 700)]

function check(entries: readonly AuditEntry[], known = anchors) {
  const audit = createAuditCheck(known)
  for (const entry of entries) audit.add(entry)
  return audit.end()
}

test('a whole log agrees with its anchors, and says how far they reach', () => {
  const { hash: head } = log[4] as AuditEntry
  expect(check(log)).toEqual({ events: 5, head, anchors: 3, anchoredUpTo: 4, faults: [] })
})

test('one event that was rewritten does not fit', () => {
  const edited = log.map((entry) => (entry.sequence === 3 ? { ...entry, kind: 'sign_in' } : entry))
  expect(check(edited, []).faults).toEqual([{ sequence: 3, fault: 'was changed after it was written' }])
})

test('a log that was rewritten as a whole is in order by itself, and contradicts the anchors', () => {
  const rewritten = logOf(kinds.map((kind) => (kind === 'signature_recorded' ? 'sign_out' : kind)))
  expect(check(rewritten, []).faults).toEqual([])
  expect(check(rewritten)).toMatchObject({
    anchors: 2,
    anchoredUpTo: 2,
    faults: [{ sequence: 4, fault: 'is not the event that block 700 anchors' }],
  })
})

test('a log that was cut off lacks what an anchor names, unless nothing anchored is gone', () => {
  expect(check(log.slice(0, 3)).faults).toEqual([{ sequence: 4, fault: 'is missing, and block 700 anchors it' }])
  expect(check(log.slice(0, 4)).faults).toEqual([])
})

test('two anchors that contradict each other are found, whichever the log agrees with', () => {
  const other = { ...anchorOf(2, 71), hash: emptyLogHash }
  expect(check(log, [...anchors, other]).faults).toEqual([
    { sequence: 2, fault: 'is not the event that block 71 anchors' },
  ])
})

test('an exported line is read back as it was, and nothing else is accepted', () => {
  for (const entry of log) expect(parseAuditLine(toAuditLine(entry))).toEqual(entry)
  const line = toAuditLine(log[0] as AuditEntry)
  for (const wrong of ['', '{}', line.replace('"kind"', '"Kind"'), line.replace('.000Z', 'Z'), `${line}${line}`]) {
    expect(() => parseAuditLine(wrong)).toThrow(expect.objectContaining({ code: 'parse_failed' }))
  }
})

test('a check from the last anchor on finds what a check of the whole log finds after it', () => {
  const since = (entries: readonly AuditEntry[], known = [anchorOf(2, 70)]) => {
    const audit = createAuditCheck(known, 1)
    for (const entry of entries.slice(1)) audit.add(entry)
    return audit.end()
  }
  expect(since(log)).toMatchObject({ events: 4, head: log[4]?.hash, anchors: 1, anchoredUpTo: 2, faults: [] })
  const edited = (sequence: number) =>
    log.map((entry) => (entry.sequence === sequence ? { ...entry, kind: 'x' } : entry))
  for (const sequence of [2, 3, 5]) {
    expect(since(edited(sequence)).faults).toEqual([{ sequence, fault: 'was changed after it was written' }])
  }
  expect(since(logOf(['sign_out', ...kinds.slice(1)])).faults).toEqual([
    { sequence: 2, fault: 'is not the event that block 70 anchors' },
  ])
  expect(since(log.slice(0, 1)).faults).toEqual([{ sequence: 2, fault: 'is missing, and block 70 anchors it' }])
})
