import { createClient, type Client } from 'viem'
import { sendRawTransaction } from 'viem/actions'
import type { Hex } from '@perigee/core'
import { rpcTransport } from './rpc/rpcTransport.js'

/**
 * The result of sending a signed transaction. `sent` also when a node knows it already or has seen its nonce used:
 * following it will tell. `unsure` when no RPC answered clearly: a timeout means "maybe sent", never "not sent".
 */
type BroadcastResult = { outcome: 'sent' | 'unsure' | 'underpriced' | 'no-funds'; message: string | null }

/** Sends to every RPC, so that one that lags or drops cannot hold a transaction back. */
export function createBroadcast(urls: readonly string[], timeoutMs: number) {
  const clients = urls.map((url) => createClient({ transport: rpcTransport(url, timeoutMs) }))
  return async (raw: Hex): Promise<BroadcastResult> => {
    const results = await Promise.all(clients.map((client) => send(client, raw)))
    const order = ['sent', 'underpriced', 'no-funds', 'unsure']
    const [best] = results.sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
    return best ?? { outcome: 'unsure', message: 'no RPC is configured' }
  }
}

async function send(client: Client, serializedTransaction: Hex): Promise<BroadcastResult> {
  try {
    await sendRawTransaction(client, { serializedTransaction })
    return { outcome: 'sent', message: null }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { outcome: classify(message), message: message.split('\n')[0] ?? null }
  }
}

/** The wording of geth, reth, erigon, nethermind and anvil. */
function classify(message: string): BroadcastResult['outcome'] {
  if (/already known|already imported|known transaction|already exists|nonce.{0,20}too low/i.test(message))
    return 'sent'
  if (/underpriced|fee.{0,30}(?:too low|less than)|max fee per gas less than block base fee/i.test(message)) {
    return 'underpriced'
  }
  if (/insufficient funds/i.test(message)) return 'no-funds'
  return 'unsure'
}
