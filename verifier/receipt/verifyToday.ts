import { parseAnyReceipt, type TrustAnchors } from '@perigee/core/receipt'
import { newestCollateral } from '@perigee/core/receipt/gather'
import { tcbThenAndNow, type ReceiptEvidence, type TcbThenAndNow } from '@perigee/core/receipt/verify'
import { readFile } from '../sources/readFile.js'
import { openPlaces, type Places } from './gatherTarget.js'

/** What can be said about the quote as of today: by the newest collateral that is published, or in the reader's file. */
export async function verifyToday(
  evidence: ReceiptEvidence,
  anchors: TrustAnchors,
  places: Places,
): Promise<TcbThenAndNow | null> {
  const { command, io } = places
  const chain = command.offline ? null : publicationChain(evidence)
  const expected = anchors.contracts.filter(({ chainId }) => chainId === chain).map(({ address }) => address)
  const newer = await newestCollateral(openPlaces(places), expected, evidence)
  if (command.collateral !== undefined) {
    newer.push({ source: command.collateral, bytes: await readFile(io.cwd, command.collateral) })
  }
  return tcbThenAndNow(evidence, anchors, io.now(), newer)
}

function publicationChain({ receipt }: ReceiptEvidence): number | null {
  try {
    return parseAnyReceipt(receipt).verification.publication.chainId
  } catch {
    return null // the first step says why
  }
}
