import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { createTestClient, http, publicActions } from 'viem'
import { replaceFile } from '../../../keepFile.js'

const everyMs = 500
/** A long chain takes long to save: this share of the time at most is spent on it. */
const share = 0.1
const files = { onExit: 'state-on-exit.json', snapshot: 'state-snapshot.json', chosen: 'state.json' }

/** Where anvil writes the chain when it is asked to end. */
export const exitStateFile = (dir: string) => join(dir, files.onExit)

/**
 * The newest whole state of the chain, as a file for anvil to load; undefined for a new chain. anvil writes its file in
 * place, so one that was cut short is passed over for the last snapshot, and so is one that was taken within a block.
 */
export async function newestState(dir: string): Promise<string | undefined> {
  const candidates = [files.onExit, files.snapshot, files.chosen].map(async (name) => {
    const file = join(dir, name)
    return { file, modified: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 }
  })
  const newestFirst = (await Promise.all(candidates)).sort((a, b) => b.modified - a.modified)
  for (const { file } of newestFirst) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (!isWhole(text)) continue
    const chosen = join(dir, files.chosen)
    if (file !== chosen) await replaceFile(chosen, text)
    return chosen
  }
  return undefined
}

/**
 * Saves the chain after every block, by a rename, until told to stop: kill -9 costs what was mined since the last look,
 * half a second, and more for a long chain. To the service that is a deep reorg.
 */
export function keepSnapshots(rpcUrl: string, dir: string): () => void {
  const anvil = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { retryCount: 0 }) }).extend(publicActions)
  let saved = -1n
  let stopped = false
  const look = async () => {
    const block = await anvil.getBlockNumber({ cacheTime: 0 })
    if (block === saved) return
    const state = await anvil.dumpState()
    const text = (await promisify(gunzip)(Buffer.from(state.slice(2), 'hex'))).toString()
    if (stopped || !isWhole(text)) return // the next anvil has chosen its state already, or the next look will see a whole one
    await replaceFile(join(dir, files.snapshot), text)
    saved = block
  }
  const again = () => {
    const startedAt = Date.now()
    const later = () => {
      if (!stopped) setTimeout(again, Math.max(everyMs, (Date.now() - startedAt) / share)).unref()
    }
    look().then(later, later) // it may be slow, or gone; the next start stops us
  }
  again()
  return () => void (stopped = true)
}

interface AnvilState {
  accounts: Record<string, { nonce: number; code: string }>
  transactions: { info: { from: string } }[]
}

/**
 * anvil copies its blocks first and its accounts after them. A block that is mined between leaves nonces that no transaction
 * has used: a chain that cannot be, on which a publication would wait until its nonce is final.
 */
function isWhole(text: string): boolean {
  try {
    const { accounts, transactions } = JSON.parse(text) as AnvilState
    const sent = new Map<string, number>()
    for (const { info } of transactions) sent.set(info.from, (sent.get(info.from) ?? 0) + 1)
    return Object.entries(accounts).every(
      ([address, { nonce, code }]) => code !== '0x' || nonce === (sent.get(address.toLowerCase()) ?? 0),
    )
  } catch {
    return false
  }
}
