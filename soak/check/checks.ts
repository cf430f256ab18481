import { recoverAddress } from 'viem'
import { canonicalJson, isTerminal, type ProofStatus } from '@perigee/core'
import { countEach } from '../report/table.js'
import type { Evidence, Violation } from './Evidence.js'
import { failingIn, verifyReceipts } from './verifyReceipts.js'

export type Check = (evidence: Evidence) => Violation[] | Promise<Violation[]>

/** The promises of the service, one check each. Every check must return an empty list. */
export const checks = {
  /** A client has this signature; the service must have the same one. */
  acknowledgedMissing: async ({ acknowledged, records }) => {
    const bySlug = new Map(records.map((record) => [record.slug, record]))
    const wrong: Violation[] = []
    for (const { slug, kind, signature, digest, signedHash, txHash, wallet } of acknowledged) {
      const record = bySlug.get(slug)
      const isKnown = record?.kind === kind && record.digest === digest && record.wallet === wallet
      // The service does not keep the signature of a message where we could read it.
      const isSame = kind === 'message' || (record?.signature === signature && record.txHash === txHash)
      if (!record) wrong.push(`${slug}: not in the database`)
      else if (!isKnown || !isSame) wrong.push(`${slug}: the database has another signature`)
      else if ((await recoverAddress({ hash: signedHash, signature })).toLowerCase() !== wallet) {
        wrong.push(`${slug}: signed by another key`)
      }
    }
    return wrong
  },

  /** The same request, repeated, must give the same answer. */
  answersChanged: ({ acknowledged }) => {
    const first = new Map<string, string>()
    return acknowledged.flatMap(({ wallet, digest, slug, signature }) => {
      const key = `${wallet}/${digest}`
      const answer = `${slug}/${signature}`
      const before = first.get(key) ?? answer
      first.set(key, before)
      return before === answer ? [] : [`${key}: two answers`]
    })
  },

  notTerminal: ({ records, workflows }) => [
    ...records
      .filter(({ status }) => !isTerminal(status as ProofStatus))
      .map(({ slug, status }) => `${slug}: ${status}`),
    ...workflows.filter(({ status }) => status === 'RUNNING').map(({ id, type }) => `${type} ${id} is still running`),
  ],

  /** Every fault ended in time, so every proof must be complete, and its workflow with it. */
  wrongTerminal: ({ records, workflows }) => {
    const receipts = new Map(
      workflows.filter(({ type }) => type === 'publishReceipt').map((run) => [run.id, run.status]),
    )
    return records.flatMap(({ slug, status }) => {
      if (!isTerminal(status as ProofStatus)) return []
      if (status !== 'complete') return [`${slug}: ${status}`]
      const run = receipts.get(`receipt/${slug}`)
      if (run === undefined) return [`${slug}: no workflow`]
      return ['COMPLETED', 'RUNNING'].includes(run) ? [] : [`${slug}: its workflow is ${run}`]
    })
  },

  eventsNotOne: ({ records, events }) => {
    const count = new Map<string, number>()
    for (const { wallet, txHash } of events) {
      const key = `${wallet}/${txHash}`
      count.set(key, (count.get(key) ?? 0) + 1)
    }
    const wrong = records.flatMap(({ slug, wallet, txHash }) => {
      const key = `${wallet}/${txHash}`
      const found = count.get(key) ?? 0
      count.delete(key)
      return found === 1 ? [] : [`${slug}: ${found} events`]
    })
    return [...wrong, ...[...count.keys()].map((key) => `${key}: an event without a record`)]
  },

  /** Record, chain, IPFS and the bytes recomputed from the columns must have the same CID. */
  cidsDiffer: ({ records, events, blocks, pinned }) => {
    const onchain = new Map(events.map((event) => [event.txHash, event]))
    const held = new Set(pinned)
    return records.flatMap(({ slug, txHash, cid, recomputedCid, onchainTxHash, onchainBlockHash }) => {
      const event = onchain.get(txHash)
      if (!event || cid === null) return [] // counted elsewhere
      if (event.cid !== cid) return [`${slug}: the chain says ${event.cid}, the record ${cid}`]
      if (recomputedCid !== cid) return [`${slug}: its columns give ${recomputedCid}, the record says ${cid}`]
      if (blocks[cid] !== cid) return [`${slug}: IPFS gives ${blocks[cid] ?? 'nothing'} for ${cid}`]
      if (!held.has(cid)) return [`${slug}: ${cid} is not pinned`]
      if (event.transactionHash !== onchainTxHash || event.blockHash !== onchainBlockHash) {
        return [`${slug}: the record names another transaction or block than the chain`]
      }
      return []
    })
  },

  /** One sample, one operation: no two signatures and no two keys share one. */
  entropyReused: ({ records, samples }) => [
    ...twice(records.map(({ entropyHash }) => entropyHash)),
    ...twice(records.map(({ entropyValue }) => entropyValue)),
    ...twice(samples.map(({ value }) => value)),
    ...twice(samples.map(({ witnessHash }) => witnessHash)),
    ...twice(records.map(({ receipt }) => entropyOf(receipt))),
  ],

  nonceGaps: ({ publishers }) =>
    publishers.flatMap(({ sender, slots, mined }) => {
      const nonces = slots.map(({ nonce }) => nonce).sort((a, b) => a - b)
      const missing = nonces.flatMap((nonce, index) =>
        nonce === index ? [] : [`${sender}: nonce ${index} was never allocated, or one was allocated twice`],
      )
      const open = slots.filter(({ state }) => state === 'open').map(({ nonce }) => `${sender}: nonce ${nonce} is open`)
      const behind = mined === nonces.length ? [] : [`${sender}: ${nonces.length} nonces allocated, ${mined} mined`]
      return [...missing.slice(0, 1), ...open, ...behind]
    }),

  unverifiedQuotes: ({ records }) =>
    records.filter(({ quoteVerified }) => quoteVerified !== true).map(({ slug }) => `${slug}: no verified quote`),

  /** Every wallet has exactly one birth. */
  birthsNotOne: ({ records, wallets }) =>
    wallets.flatMap((address) => {
      const births = records.filter(({ kind, wallet }) => kind === 'birth' && wallet === address).length
      return births === 1 ? [] : [`${address}: ${births} births`]
    }),

  receiptsRejected: verifyReceipts,

  /** Who asked for it, and the owner's approval where the wallet has owners: each receipt must show both. */
  unauthorised: (evidence) => failingIn(evidence, ['statement', 'passkey']),

  receiptsWithoutBirth: (evidence) => failingIn(evidence, ['birth']),

  /** Every complete proof and every wallet was announced to the application. */
  webhooksLost: ({ records, wallets, webhooks, undelivered }) => {
    const heard = new Set(webhooks.map(({ type, data }) => nameOf(type, data)))
    const due = [
      // With its place on the chain: after a reorg an application must hear of the new one.
      ...records
        .filter(({ status }) => status === 'complete')
        .map(({ slug, onchainTxHash }) => nameOf('proof.complete', { slug, onchainTxHash })),
      ...wallets.map((address) => nameOf('wallet.created', { address })),
    ]
    return [...due.filter((event) => !heard.has(event)).map((event) => `${event}: never delivered`), ...undelivered]
  },

  /** The same event has the same id, however often it is delivered, and an id is that of one event. */
  webhooksDoubled: ({ webhooks }) => {
    const events = new Map<string, string>()
    const ids = new Map<string, string>()
    return webhooks.flatMap(({ id, type, data }) => {
      const event = canonicalJson({ type, data })
      const [otherId, otherEvent] = [events.get(event) ?? id, ids.get(id) ?? event]
      events.set(event, otherId)
      ids.set(id, otherEvent)
      return otherId === id && otherEvent === event ? [] : [`${type} ${id}: delivered under two ids, or two under one`]
    })
  },

  /** However often and through however many processes it was asked for. */
  sharesExceeded: ({ records, share: { wallet, perDay } }) => {
    const byDay = countEach(records.filter((record) => record.wallet === wallet).map(({ day }) => day))
    return Object.entries(byDay).flatMap(([day, count]) =>
      count > perDay ? [`${count} on ${day}, the share is ${perDay}`] : [],
    )
  },

  auditFaults: ({ auditFaults }) => auditFaults.map(({ sequence, fault }) => `audit event ${sequence}: ${fault}`),

  leaks: ({ leaks }) => leaks.map(({ where, what }) => `${where}: ${what}`),
} satisfies Record<string, Check>

const nameOf = (type: string, { slug, address, onchainTxHash }: Record<string, unknown>) =>
  [type, slug ?? address, onchainTxHash].filter(Boolean).join(' ')

export type CheckName = keyof typeof checks
export type Verdict = Record<CheckName, Violation[]>

/** Runs every check. */
export async function runChecks(evidence: Evidence): Promise<Verdict> {
  const names = Object.keys(checks) as CheckName[]
  const verdict = {} as Verdict
  for (const name of names) verdict[name] = await checks[name](evidence)
  return verdict
}

/** The sample that a receipt names. */
function entropyOf(receipt: string | null): string | null {
  const { entropy } = JSON.parse(receipt ?? '{}') as { entropy?: { value?: string } }
  return entropy?.value ?? null
}

function twice(values: readonly (string | null)[]): Violation[] {
  const seen = new Set<string>()
  return values.flatMap((value) => {
    if (value === null) return []
    if (seen.has(value)) return [`entropy ${value.slice(0, 18)}… was used twice`]
    seen.add(value)
    return []
  })
}
