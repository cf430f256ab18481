import { verifyCid } from '../../../bytes/index.js'
import { ServiceError } from '../../../errors/index.js'
import { parseAnyReceipt } from '../../schema/parseReceipt.js'
import { cidOfReceipt, hashed, receiptOf } from '../evidence.js'
import type { Step, Work } from '../types.js'
import { eventsAbout } from '../verificationTime.js'

/** Reads the receipt. Strictness matters here: two spellings of one receipt would have two CIDs. */
export const canonicalBytes: Step = {
  name: 'canonical_bytes',
  title: 'The bytes are a canonical receipt',
  run(work) {
    work.receipt = parseAnyReceipt(work.evidence.receipt)
    return `${work.evidence.receipt.length} bytes are RFC 8785 JSON of the form ${work.receipt.version}`
  },
}

/** The CID matches the bytes. Only this protects members that nothing else binds (links, our own claims). */
export const cid: Step = {
  name: 'cid',
  title: 'The CID names exactly these bytes',
  skippable: true,
  isRecordable: () => true,
  run(work) {
    const { cid: asked, receipt } = work.evidence
    if (work.options.explain) hashed(work, 'receipt', 'sha-256', receipt)
    const computed = cidOfReceipt(work)
    const names = asked === undefined ? namesOf(work) : [asked]
    if (names.length === 0) {
      throw new ServiceError('evidence_missing', `no CID was given to compare ${computed} with`, { computed })
    }
    for (const name of names) if (name !== computed) verifyCid(name, receipt) // it may be spelled in another base
    return `SHA-256 of the receipt is that in ${names[0]} (${asked === undefined ? 'named by the event' : 'asked for'})`
  },
}

const namesOf = (work: Work) =>
  eventsAbout(receiptOf(work), work.evidence, work.options.anchors).map(({ ipfsCid }) => ipfsCid)
