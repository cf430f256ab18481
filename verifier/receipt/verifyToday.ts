import { cidOf } from '@perigee/core/bytes'
import { parseAnyReceipt, type TrustAnchors } from '@perigee/core/receipt'
import { newestCollateral } from '@perigee/core/receipt/gather'
import { tcbThenAndNow, type Candidate, type ReceiptEvidence, type TcbThenAndNow } from '@perigee/core/receipt/verify'
import { readFile } from '../sources/readFile.js'
import { openPlaces, type Places } from './gatherTarget.js'

/** What can be said about the quote as of today: by the newest collateral that is published, or in the reader's file. */
export async function verifyToday(
  evidence: ReceiptEvidence,
  anchors: TrustAnchors,
  places: Places,
): Promise<TcbThenAndNow | null> {
  const { command, io } = places
  const newer: Candidate[] = []
  const published = command.offline ? null : await publishedCollateral(evidence, anchors, places)
  if (published) newer.push({ source: 'the newest published receipt', bytes: published })
  if (command.collateral !== undefined) {
    newer.push({ source: command.collateral, bytes: await readFile(io.cwd, command.collateral) })
  }
  return tcbThenAndNow(evidence, anchors, io.now(), newer)
}

async function publishedCollateral(
  { receipt, collateral }: ReceiptEvidence,
  { contracts }: TrustAnchors,
  places: Places,
): Promise<Uint8Array | null> {
  const chain = publicationChain(receipt)
  const expected = contracts.filter(({ chainId }) => chainId === chain).map(({ address }) => address)
  if (expected.length === 0) return null
  return newestCollateral(openPlaces(places), expected, collateral ? cidOf(collateral) : null)
}

function publicationChain(receipt: Uint8Array): number | null {
  try {
    return parseAnyReceipt(receipt).verification.publication.chainId
  } catch {
    return null // the first step says why
  }
}
