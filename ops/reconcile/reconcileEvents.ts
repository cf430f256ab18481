import { isAddressEqual } from 'viem'
import { eventRange } from '../../clients/chain/ChainConfig.js'
import { readLogs, type PublishedLog } from '../../clients/chain/readLogs.js'
import { walkLogs } from '../../clients/chain/walkLogs.js'
import { findProofsOf, findPublisherTransactions, type KnownProof } from '../../database/index.js'
import type { Reconciliation } from './createReport.js'

const logsPerQuery = 500

/** Compares every event of the contract, and of those before it, with the records. */
export async function reconcileEvents(input: Reconciliation): Promise<void> {
  for await (const logs of walkLogs(input.chain)) {
    for (let i = 0; i < logs.length; i += logsPerQuery) await reconcileLogs(logs.slice(i, i + logsPerQuery), input)
  }
}

async function reconcileLogs(logs: PublishedLog[], input: Reconciliation): Promise<void> {
  const { database, report } = input
  const txHashes = logs.map(({ args }) => args.txHash)
  const proofs = new Map((await findProofsOf(database, txHashes)).map((proof) => [proof.txHash, proof]))
  const transactionHashes = logs.map(({ transactionHash }) => transactionHash)
  const ours = await findPublisherTransactions(database, transactionHashes)
  const seen = new Set<string>()
  for (const log of logs) {
    report.count('events')
    const proof = proofs.get(log.args.txHash)
    if (!ours.has(log.transactionHash)) await reportUnrecorded(log, input)
    if (!proof || !isAddressEqual(proof.wallet, log.args.wallet)) {
      report.mismatch('unknown_receipt', log.args.txHash, 'an event names a transaction without a record', placeOf(log))
      continue
    }
    if (proof.cid !== log.args.ipfsCid) {
      report.mismatch('wrong_cid_in_event', proof.slug, 'an event names another CID than the record', placeOf(log))
      continue
    }
    const key = `${log.transactionHash}/${proof.slug}`
    if (seen.has(key)) report.mismatch('duplicate_event', proof.slug, 'it has two events', placeOf(log))
    else if (log.transactionHash !== proof.onchainTxHash) await reportUnexpected(log, proof, input)
    seen.add(key)
  }
}

/** Reports an event that is not where the record says: a second one, or the only one in another place. */
async function reportUnexpected(log: PublishedLog, proof: KnownProof, { chain, report }: Reconciliation) {
  const range = { ...eventRange(chain.config), toBlock: await chain.head(), txHashes: [proof.txHash] }
  const all = await chain.rpcs.first((client) => readLogs(client, range))
  const same = all.filter(({ args }) => args.ipfsCid === proof.cid && isAddressEqual(args.wallet, proof.wallet))
  const [first] = same
  if (same.length > 1) {
    const isFirst = first?.transactionHash === log.transactionHash && proof.onchainTxHash === null
    if (!isFirst) report.mismatch('duplicate_event', proof.slug, `it has ${same.length} events`, placeOf(log))
  } else if (proof.status === 'complete') {
    report.mismatch('event_elsewhere', proof.slug, 'its event is in another transaction than recorded', placeOf(log))
  } else if (proof.status === 'pin_failed' || proof.status === 'onchain_failed') {
    report.mismatch('failed_but_published', proof.slug, `${proof.status}, but its event is on the chain`, placeOf(log))
  }
}

/** Reports a publication without a record: another account's, or our key used elsewhere. */
async function reportUnrecorded(log: PublishedLog, { chain, publishers, report }: Reconciliation): Promise<void> {
  const { from } = await chain.rpcs.first((client) => client.getTransaction({ hash: log.transactionHash }))
  const facts = { ...placeOf(log), sender: from }
  if (publishers.some((publisher) => isAddressEqual(publisher, from))) {
    const message = 'a publishing key sent it, but Perigee has no record of it'
    report.mismatch('unrecorded_publication', log.transactionHash, message, facts)
  } else {
    report.mismatch('foreign_publisher', log.transactionHash, 'an account that is not ours published', facts)
  }
}

function placeOf({ transactionHash, blockNumber, args }: PublishedLog) {
  return { transactionHash, blockNumber: Number(blockNumber), ipfsCid: args.ipfsCid }
}
