import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Hex } from '@perigee/core'

/** `recordSignature` tells it the wallet and the digest of every signature, when it is committed and not before. */
export const signedChannel = 'perigee_signed'

const againMs = 1_000
/** A connection whose other end is gone without a word is found out by asking. */
const lookEveryMs = 10_000
const answerMs = 5_000

export interface SignedNotice {
  walletId: string
  digest: Hex
}

export interface SignatureListener {
  close(): Promise<void>
}

/**
 * Hears of every signature as soon as it is committed, by whichever process. A notice may be missed (the connection was
 * lost, or goes through a pooler that drops notices), so nobody may depend on one.
 */
export function listenForSignatures(
  url: string,
  onSigned: (notice: SignedNotice) => void,
  onProblem: (error: unknown) => void,
): SignatureListener {
  const stop = new AbortController()
  const { signal } = stop

  async function listen(onListening: () => void): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: answerMs, query_timeout: answerMs })
    const lost = new Promise<never>((_, reject) => {
      client.on('error', reject)
      client.on('end', () => reject(new Error('the connection has ended')))
    })
    lost.catch(() => undefined) // it may be lost when nobody looks
    client.on('notification', ({ payload = '' }) => {
      const [walletId = '', digest = ''] = payload.split('/')
      onSigned({ walletId, digest: digest as Hex })
    })
    try {
      await client.connect()
      await client.query(`LISTEN ${signedChannel}`)
      onListening()
      for (;;) {
        await Promise.race([sleep(lookEveryMs, undefined, { signal }), lost])
        await client.query('SELECT 1')
      }
    } finally {
      await Promise.race([client.end(), sleep(againMs)])
    }
  }

  async function keepListening(): Promise<void> {
    for (let isKnown = false; !signal.aborted;) {
      await listen(() => (isKnown = false)).catch((error: unknown) => {
        if (!isKnown && !signal.aborted) onProblem(error) // once for each outage
        isKnown = true
      })
      await sleep(againMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const ended = keepListening()

  return {
    async close() {
      stop.abort()
      await ended
    },
  }
}
