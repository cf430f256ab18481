import { unusable, type Rpc } from './readLogs.js'

/** A number that a node answers with. Anything else, and a number above `most`, is refused with `chain_unavailable`. */
export async function readNumber(
  rpc: Rpc,
  method: string,
  params: unknown[],
  most = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  return parseNumber(await rpc(method, params), method, most)
}

export function parseNumber(answer: unknown, what: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = typeof answer === 'string' && /^0x[0-9a-f]{1,13}$/i.test(answer) ? Number(answer) : NaN
  if (!(number <= most)) throw unusable(`an unusable answer to ${what}`)
  return number
}

/** The chain a node serves. */
export const readChainId = (rpc: Rpc): Promise<number> => readNumber(rpc, 'eth_chainId', [])

/** The newest block a node knows. */
export const readHead = (rpc: Rpc): Promise<number> => readNumber(rpc, 'eth_blockNumber', [])
