import { birthHash } from '@perigee/core/receipt'
import { useEffect, useMemo, useState } from 'react'
import type { PublishedLog } from '@perigee/core/receipt/gather'
import type { Hex } from 'viem'
import { wordsOf } from '../../format/wordsOf.js'
import { useConfig } from '../../config/ConfigContext.js'
import { createRpc } from '../../verify/createSources.js'
import { readPublished, type Found } from '../readPublished.js'
import { readReceipt, type ReadMessage, type ReadTransaction } from './readReceipt.js'
import { useLoaded } from '../useLoaded.js'

const batch = 10

/** A published receipt, and the outcome of reading it: undefined until it is asked for. */
export interface Row {
  event: PublishedLog
  outcome?: ReadTransaction | ReadMessage | { failed: string } | 'reading'
}

/** The events of a wallet, how many transactions the chain has of it, and its receipts, read ten at a time. */
export function useWalletReceipts(address: Hex) {
  const config = useConfig()
  const first = useLoaded(async () => {
    const [found, count] = await Promise.all([
      readPublished(config, { wallet: address }),
      createRpc(config)('eth_getTransactionCount', [address, 'latest']),
    ])
    return { found, count: Number(count) }
  }, [config, address])
  const [older, setOlder] = useState<Found | null>(null)
  const [wanted, setWanted] = useState(batch)
  const [outcomes, setOutcomes] = useState<Record<string, NonNullable<Row['outcome']>>>({})
  const [olderError, setOlderError] = useState('')

  const birth = useMemo(() => birthHash(address), [address])
  const found = first.value ? [...first.value.found.events, ...(older?.events ?? [])] : []
  const events = found.filter(({ txHash }) => txHash !== birth) // shown apart
  const keyed = events.map((event) => ({ event, key: event.txHash + event.ipfsCid }))
  const unasked = keyed.slice(0, wanted).filter(({ key }) => !(key in outcomes))
  useEffect(() => {
    if (unasked.length === 0) return
    const note = (key: string, outcome: NonNullable<Row['outcome']>) =>
      setOutcomes((old) => ({ ...old, [key]: outcome }))
    for (const { key, event } of unasked) {
      note(key, 'reading')
      readReceipt(config, event).then(
        (read) => note(key, read),
        (error: unknown) => note(key, { failed: wordsOf(error) }),
      )
    }
  }, [config, unasked])

  const from = older?.from ?? first.value?.found.from ?? 0
  const searchOlder = () => {
    setOlderError('')
    readPublished(config, { wallet: address }, from).then(
      (more) => setOlder((old) => ({ events: [...(old?.events ?? []), ...more.events], from: more.from })),
      (error: unknown) => setOlderError(wordsOf(error)),
    )
  }
  const rows: Row[] = keyed.map(({ event, key }) => {
    const outcome = outcomes[key]
    return outcome === undefined ? { event } : { event, outcome }
  })
  const retryFailed = () =>
    setOutcomes((old) => Object.fromEntries(Object.entries(old).filter(([, outcome]) => !isFailed(outcome))))
  return {
    loaded: first.value !== null,
    error: first.error,
    again: first.again,
    count: first.value?.count ?? 0,
    rows,
    shown: Math.min(wanted, rows.length),
    readMore: () => setWanted((old) => old + batch),
    retryFailed,
    from,
    searchOlder,
    olderError,
  }
}

export function isFailed(outcome: Row['outcome']): outcome is { failed: string } {
  return typeof outcome === 'object' && 'failed' in outcome
}

export function isTransaction(outcome: Row['outcome']): outcome is ReadTransaction {
  return typeof outcome === 'object' && 'transaction' in outcome
}

export function isMessage(outcome: Row['outcome']): outcome is ReadMessage {
  return typeof outcome === 'object' && 'message' in outcome
}
