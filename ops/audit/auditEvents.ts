import type { DataSource } from 'typeorm'
import { isAddressEqual } from 'viem'
import type { Hex } from '@perigee/core'
import type { Chain } from '../../clients/chain/createChain.js'
import { readLogs, type PublishedLog } from '../../clients/chain/readLogs.js'
import { findProofsOf, findPublisherTransactions, type KnownProof } from '../../database/index.js'
import type { AuditReport } from './AuditReport.js'

const blocksAtOnce = 2_000n

export interface EventsAudit {
  database: DataSource
  chain: Chain
  /** Keys that may publish for us. */
  publishers: readonly Hex[]
  report: AuditReport
}

/** Every event of the contract, in ranges of blocks, against the records. */
export async function auditEvents(audit: EventsAudit): Promise<void> {
  const { chain } = audit
  const head = await chain.head()
  for (let from = BigInt(chain.config.contractBlock); from <= head; from += blocksAtOnce) {
    const to = from + blocksAtOnce - 1n
    const range = { contract: chain.config.contract, fromBlock: from, toBlock: to < head ? to : head }
    const logs = await chain.rpcs.first((client) => readLogs(client, range))
    for (let i = 0; i < logs.length; i += 500) await auditLogs(logs.slice(i, i + 500), audit)
  }
}

async function auditLogs(logs: PublishedLog[], audit: EventsAudit): Promise<void> {
  const { database, report } = audit
  const proofs = new Map(
    (
      await findProofsOf(
        database,
        logs.map(({ args }) => args.txHash),
      )
    ).map((p) => [p.txHash, p]),
  )
  const ours = await findPublisherTransactions(
    database,
    logs.map(({ transactionHash }) => transactionHash),
  )
  const said = new Set<string>()
  for (const log of logs) {
    report.count('events')
    const proof = proofs.get(log.args.txHash)
    if (!ours.has(log.transactionHash)) await nameStranger(log, audit)
    if (!proof || !isAddressEqual(proof.wallet, log.args.wallet)) {
      report.disagree('unknown_receipt', log.args.txHash, 'an event names a transaction without a record', placeOf(log))
      continue
    }
    if (proof.cid !== log.args.ipfsCid) {
      report.disagree('wrong_cid_in_event', proof.slug, 'an event names another CID than the record', placeOf(log))
      continue
    }
    const key = `${log.transactionHash}/${proof.slug}`
    if (said.has(key)) report.disagree('duplicate_event', proof.slug, 'it has two events', placeOf(log))
    else if (log.transactionHash !== proof.onchainTxHash) await judge(log, proof, audit)
    said.add(key)
  }
}

/** An event that is not where the record says: a second one, or the only one in another place. */
async function judge(log: PublishedLog, proof: KnownProof, { chain, report }: EventsAudit): Promise<void> {
  const range = { contract: chain.config.contract, fromBlock: BigInt(chain.config.contractBlock) }
  const toBlock = await chain.head()
  const all = await chain.rpcs.first((client) => readLogs(client, { ...range, toBlock, txHashes: [proof.txHash] }))
  const same = all.filter(({ args }) => args.ipfsCid === proof.cid && isAddressEqual(args.wallet, proof.wallet))
  const [first] = same
  if (same.length > 1) {
    const isFirst = first?.transactionHash === log.transactionHash && proof.onchainTxHash === null
    if (!isFirst) report.disagree('duplicate_event', proof.slug, `it has ${same.length} events`, placeOf(log))
  } else if (proof.status === 'complete') {
    report.disagree('event_elsewhere', proof.slug, 'its event is in another transaction than recorded', placeOf(log))
  } else if (proof.status === 'pin_failed' || proof.status === 'onchain_failed') {
    report.disagree('failed_but_published', proof.slug, `${proof.status}, but its event is there`, placeOf(log))
  }
}

/** A publication that our publisher has no record of: somebody else's key, or ours used elsewhere. */
async function nameStranger(log: PublishedLog, { chain, publishers, report }: EventsAudit): Promise<void> {
  const { from } = await chain.rpcs.first((client) => client.getTransaction({ hash: log.transactionHash }))
  const facts = { ...placeOf(log), sender: from }
  if (publishers.some((publisher) => isAddressEqual(publisher, from))) {
    const message = 'a publishing key sent it, but Perigee has no record of that'
    report.disagree('unrecorded_publication', log.transactionHash, message, facts)
  } else {
    report.disagree('foreign_publisher', log.transactionHash, 'an account that is not ours has published', facts)
  }
}

function placeOf({ transactionHash, blockNumber, args }: PublishedLog) {
  return { transactionHash, blockNumber: Number(blockNumber), ipfsCid: args.ipfsCid }
}
