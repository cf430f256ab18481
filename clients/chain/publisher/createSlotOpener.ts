import type { DataSource } from 'typeorm'
import { ServiceError, type Hex } from '@perigee/core'
import {
  countInFlight,
  openAnchorSlot,
  openSlot,
  type AuditLogAnchor,
  type NewSlot,
  type NewTransaction,
  type WaitingProof,
} from '../../../database/index.js'
import { anchorCalldata } from '../auditAnchors.js'
import type { Chain, Fees } from '../createChain.js'
import { newSlot, type TransactionSender } from './createTransactionSender.js'
import { publishCalldata } from './publishCalldata.js'
import { capped } from './replacementFees.js'

/** An account with room for one more transaction. */
export interface Candidate {
  sender: Hex
  mined: number
  /** The nonce after all that were given out or used, unless another worker is taking it now. */
  nonce: number
  inFlight: number
  /** The balance that remains when everything in flight is paid. */
  freeWei: bigint
}

/** Each failed try is a nonce that another worker took. */
const maxTries = 5

/** Gives proofs a nonce and sends their transaction. */
export function createSlotOpener(database: DataSource, chain: Chain, { senders, sign, send }: TransactionSender) {
  const { chainId, contract, maxFeePerGasCap, maxInFlight } = chain.config
  /** Keys whose transactions in the mempools are all in the records. */
  const known = new Set<Hex>()
  /** Keys that get no nonce because of the others. */
  const heldBack = new Set<Hex>()

  /**
   * True while a mempool has transactions of this key that the records lack, as after a restore from a backup: a proof in
   * one of them must not get another nonce. Once it is false it stays so, because ours are recorded before they are sent.
   */
  function hasUnrecorded(sender: Hex, pending: number | null, next: number): boolean {
    const isUnrecorded = pending !== null && pending > next
    if (isUnrecorded) {
      heldBack.add(sender)
    } else {
      heldBack.delete(sender)
      known.add(sender)
    }
    return isUnrecorded
  }

  /**
   * What the key has in flight. A count above all nonces that were given out makes us skip those between, and a proof on a nonce that
   * the chain never reaches would block its key. So most RPCs must confirm it, and a single RPC is asked twice. A count that is
   * too low is harmless: the nonce turns out to be spent.
   */
  async function inFlightOf(sender: Hex) {
    const seen = await chain.minedCount(sender)
    const inFlight = await countInFlight(database, chainId, sender, seen)
    if (seen <= inFlight.next) return { mined: seen, ...inFlight }
    const mined = Math.min(seen, await chain.agreedCount(sender))
    return { mined, ...(await countInFlight(database, chainId, sender, mined)) }
  }

  /** Null for a key that was removed from the contract. Throws when the contract refuses the call itself. */
  async function estimateGas(sender: Hex, calldata: Hex): Promise<bigint | null> {
    try {
      return await chain.estimateGas(sender, calldata)
    } catch (error) {
      if (!isRefusal(error) || (await chain.isPublisher(sender))) throw error
      return null
    }
  }

  /**
   * The first candidate that may publish and can pay; others are skipped. Null when only a key that has no room now may
   * publish.
   */
  async function chooseAccount(candidates: readonly Candidate[], calldata: Hex, fees: Fees) {
    let poorest: ServiceError | null = null
    for (const candidate of candidates) {
      const gas = await estimateGas(candidate.sender, calldata)
      if (gas === null) continue
      const neededWei = gas * fees.maxFeePerGas
      if (candidate.freeWei >= neededWei) return { ...candidate, gas }
      poorest ??= new ServiceError('publisher_balance_low', 'the publishing account cannot pay for the transaction', {
        sender: candidate.sender,
        balanceWei: String(candidate.freeWei),
        neededWei: String(neededWei),
      })
    }
    if (poorest) throw poorest
    const rights = await Promise.all(senders.map((sender) => chain.isPublisher(sender)))
    if (rights.includes(true)) return null
    throw new ServiceError('publish_reverted', 'the contract accepts none of the publishing keys', { contract })
  }

  /**
   * Opens a slot for the call. Null when no account can take it now or another worker was faster: try again. Signs and
   * stores (`store`, see `openSlot`) before it sends, so that a crash can only repeat the sending.
   */
  async function openFor(
    calldata: Hex,
    room: readonly Candidate[],
    store: (slot: NewSlot, transaction: NewTransaction, minedCount: number) => Promise<number | null>,
  ): Promise<NewSlot | null> {
    const fees = capped(await chain.fees(), maxFeePerGasCap)
    const chosen = await chooseAccount(room, calldata, fees)
    if (!chosen) return null
    const { sender, mined } = chosen
    for (let { nonce } = chosen, tries = 0; tries < maxTries; tries++) {
      const slot = newSlot({ chainId, sender, nonce }, { calldata, gas: String(chosen.gas) })
      const transaction = await sign(slot, fees)
      const due = await store(slot, transaction, mined)
      if (due === null) return null
      if (due === nonce) {
        await send(transaction)
        return slot
      }
      nonce = due // another worker has just taken the one before
    }
    return null
  }

  return {
    /** Keys with transactions in a mempool that the records lack: they get no nonce until those are mined or gone. */
    heldBack: heldBack as ReadonlySet<Hex>,

    /** The accounts with room for one more transaction, least busy first. */
    async accountsWithRoom(): Promise<Candidate[]> {
      const candidates = await Promise.all(
        senders.map(async (sender): Promise<Candidate | null> => {
          const [pending, { mined, count, wei, next }, balance] = await Promise.all([
            known.has(sender) ? null : chain.pendingCount(sender),
            inFlightOf(sender),
            chain.recentBalance(sender),
          ])
          const nonce = Math.max(next, mined)
          if (hasUnrecorded(sender, pending, nonce)) return null
          return { sender, mined, nonce, inFlight: count, freeWei: balance - wei }
        }),
      )
      return candidates
        .filter((candidate) => candidate !== null)
        .filter(({ inFlight }) => inFlight < maxInFlight)
        .sort((a, b) => a.inFlight - b.inFlight || Number(b.freeWei > a.freeWei) - Number(a.freeWei > b.freeWei))
    },

    /** Opens a slot for the proofs. `formerId`: the spent slot that one of them leaves. */
    open(proofs: readonly WaitingProof[], room: readonly Candidate[], formerId: string | null) {
      return openFor(publishCalldata(proofs), room, (slot, transaction, minedCount) =>
        openSlot(database, slot, transaction, { proofs, formerId, minedCount }),
      )
    },

    /** Opens a slot for a head of the audit log. */
    openAnchor: (anchor: AuditLogAnchor, room: readonly Candidate[]) =>
      openFor(anchorCalldata(anchor), room, (slot, transaction, minedCount) =>
        openAnchorSlot(database, slot, transaction, { anchor, minedCount }),
      ),
  }
}

const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.code === 'publish_reverted'
