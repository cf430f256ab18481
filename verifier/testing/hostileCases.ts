import type { Lie } from './startLiar.js'
import { poisoned, type HostileWorld } from './hostileWorld.js'

export interface HostileCase {
  who: 'service' | 'gateway' | 'node'
  name: string
  lie: (world: HostileWorld) => Lie
  /** The CLI's code, or the step that fails. `verified`: the lie changes nothing that counts. */
  outcome: string
  /** What the page says. */
  page: RegExp
}

const falseAnswer = /Not verified: the service’s answer is false\./
const notLoaded = /The proof cannot be loaded now/
const otherBytes = /Not this receipt: the bytes were changed\./
const noCheck = /The check could not be made\./
const failed = /Not verified\. \d+ of \d+ checks passed/
const unchecked = /Could not be checked\. \d+ of \d+ checks passed/

/** The service answers with these changes. */
const claims = (change: (world: HostileWorld) => object) => (world: HostileWorld) => () =>
  JSON.stringify({ ...world.proof, ...change(world) })
const half = (answer: Buffer) => answer.subarray(0, answer.length >> 1)
/** Changes the result of one method. */
const results = (method: string, change: (result: never, world: HostileWorld) => unknown) => (world: HostileWorld) => {
  return (answer: Buffer, { body }: { body: string }) => {
    if ((JSON.parse(body) as { method: string }).method !== method) return answer
    const { result, ...rest } = JSON.parse(answer.toString()) as { result: never }
    return JSON.stringify({ ...rest, result: change(result, world) })
  }
}
type Log = { topics: string[]; data: string; blockHash: string }
const hex = (text: string) => Buffer.from(text).toString('hex')
/** The event names the other receipt, whose CID is as long. */
const renamed = ({ data, ...log }: Log, { asked, other }: HostileWorld) => ({
  ...log,
  data: data.replace(hex(asked.evidence.cid), hex(other.evidence.cid)),
})

/** What a service, a gateway or a node may do to a reader. None of it gives a better verdict than the truth. */
export const hostileCases: readonly HostileCase[] = [
  { who: 'service', name: 'names another receipt', lie: claims(({ other }) => ({ ipfsCid: other.evidence.cid })), outcome: 'claim_mismatch', page: falseAnswer }, // prettier-ignore
  { who: 'service', name: 'names and shows another receipt', lie: claims(({ other }) => ({ ipfsCid: other.evidence.cid, receipt: other.receipt })), outcome: 'claim_mismatch', page: falseAnswer }, // prettier-ignore
  { who: 'service', name: 'shows another amount', lie: claims(({ asked: { receipt } }) => ({ receipt: { ...receipt, transaction: { ...receipt.transaction, value: '1' } } })), outcome: 'claim_mismatch', page: falseAnswer }, // prettier-ignore
  { who: 'service', name: 'names another transaction', lie: claims(({ other }) => ({ txHash: other.receipt.transaction.txHash })), outcome: 'claim_mismatch', page: falseAnswer }, // prettier-ignore
  { who: 'service', name: 'names another wallet', lie: claims(() => ({ walletAddress: `0x${'01'.repeat(20)}` })), outcome: 'claim_mismatch', page: falseAnswer }, // prettier-ignore
  { who: 'service', name: 'names another chain', lie: claims(() => ({ chainId: 1 })), outcome: 'claim_mismatch', page: falseAnswer }, // prettier-ignore
  { who: 'service', name: 'answers for another slug', lie: claims(() => ({ slug: 'another-slug-of-this-service' })), outcome: 'claim_mismatch', page: notLoaded }, // prettier-ignore
  { who: 'service', name: 'has an old state', lie: claims(() => ({ status: 'pending_onchain', onchainTxHash: null, onchainBlockNumber: null, createdAt: '2001-01-01T12:00:00Z' })), outcome: 'verified', page: /This signature has a complete public proof/ }, // prettier-ignore
  { who: 'service', name: 'cuts its answer', lie: () => half, outcome: 'service_unavailable', page: notLoaded },
  { who: 'service', name: 'does not finish', lie: () => 'silent', outcome: 'service_unavailable', page: notLoaded },
  { who: 'service', name: 'never stops', lie: () => 'endless', outcome: 'payload_too_large', page: notLoaded },
  { who: 'service', name: 'poisons every string', lie: claims(({ proof }) => poisoned(proof) as object), outcome: 'service_unavailable', page: notLoaded }, // prettier-ignore
  { who: 'service', name: 'poisons every string of the receipt', lie: claims(({ proof }) => ({ receipt: poisoned(proof.receipt) })), outcome: 'claim_mismatch', page: falseAnswer }, // prettier-ignore

  { who: 'gateway', name: 'sends another receipt', lie: ({ other }) => () => Buffer.from(other.evidence.receipt), outcome: 'cid_mismatch', page: otherBytes }, // prettier-ignore
  { who: 'gateway', name: 'cuts its answer', lie: () => half, outcome: 'cid_mismatch', page: otherBytes },
  { who: 'gateway', name: 'poisons every string', lie: ({ asked }) => () => JSON.stringify(poisoned(asked.receipt)), outcome: 'cid_mismatch', page: otherBytes }, // prettier-ignore
  { who: 'gateway', name: 'does not finish', lie: () => 'silent', outcome: 'service_unavailable', page: noCheck },
  { who: 'gateway', name: 'never stops', lie: () => 'endless', outcome: 'payload_too_large', page: noCheck },

  { who: 'node', name: 'names another receipt', lie: results('eth_getLogs', (logs: Log[], world) => logs.map((log) => renamed(log, world))), outcome: 'onchain_event', page: failed }, // prettier-ignore
  { who: 'node', name: 'names another wallet', lie: results('eth_getLogs', (logs: Log[]) => logs.map((log) => ({ ...log, topics: [log.topics[0], `0x${'01'.repeat(32)}`, ...log.topics.slice(2)] }))), outcome: 'onchain_event', page: failed }, // prettier-ignore
  { who: 'node', name: 'has an old state', lie: results('eth_getLogs', () => []), outcome: 'onchain_event', page: failed }, // prettier-ignore
  { who: 'node', name: 'has another block there', lie: results('eth_getBlockByNumber', (block: object) => ({ ...block, hash: `0x${'01'.repeat(32)}` })), outcome: 'onchain_event', page: unchecked }, // prettier-ignore
  { who: 'node', name: 'serves another chain', lie: results('eth_chainId', () => '0x1'), outcome: 'onchain_event', page: unchecked }, // prettier-ignore
  { who: 'node', name: 'cuts its answers', lie: () => half, outcome: 'onchain_event', page: unchecked },
  { who: 'node', name: 'poisons every string', lie: () => (answer) => JSON.stringify(poisoned(JSON.parse(answer.toString()))), outcome: 'onchain_event', page: unchecked }, // prettier-ignore
  { who: 'node', name: 'poisons its refusals', lie: () => () => JSON.stringify(poisoned({ error: { message: '' } })), outcome: 'onchain_event', page: unchecked }, // prettier-ignore
  { who: 'node', name: 'does not finish', lie: () => 'silent', outcome: 'onchain_event', page: unchecked },
  { who: 'node', name: 'never stops', lie: () => 'endless', outcome: 'onchain_event', page: unchecked },
]
