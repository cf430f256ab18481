import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const everyMs = 500
/** A long chain takes long to save: this share of the time at most is spent on it. */
const share = 0.1
const files = { onExit: 'state-on-exit.json', snapshot: 'state-snapshot.json', chosen: 'state.json' }

/** Where anvil writes the chain when it is asked to end. */
export const exitStateFile = (dir: string) => join(dir, files.onExit)

/**
 * The newest whole state of the chain, as a file for anvil to load; undefined for a new chain. anvil writes its file in
 * place, so one that was cut short is passed over for the last snapshot.
 */
export async function newestState(dir: string): Promise<string | undefined> {
  const candidates = [files.onExit, files.snapshot, files.chosen].map(async (name) => {
    const file = join(dir, name)
    return { file, modified: (await stat(file).catch(() => undefined))?.mtimeMs ?? 0 }
  })
  const newestFirst = (await Promise.all(candidates)).sort((a, b) => b.modified - a.modified)
  for (const { file } of newestFirst) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (!isJson(text)) continue
    const chosen = join(dir, files.chosen)
    if (file !== chosen) await replace(chosen, text)
    return chosen
  }
  return undefined
}

/**
 * Saves the chain after every block, by a rename, until told to stop: kill -9 costs what was mined since the last look,
 * half a second, and more for a long chain. To the service that is a deep reorganisation.
 */
export function keepSnapshots(rpcUrl: string, dir: string): () => void {
  let saved = ''
  let stopped = false
  const look = async () => {
    const block = await rpc(rpcUrl, 'eth_blockNumber')
    if (block === saved) return
    const state = await rpc(rpcUrl, 'anvil_dumpState')
    const text = await promisify(gunzip)(Buffer.from(state.slice(2), 'hex'))
    if (stopped) return // the next anvil has chosen its state already
    await replace(join(dir, files.snapshot), text)
    saved = block
  }
  const again = () => {
    const begun = Date.now()
    const later = () => {
      if (!stopped) setTimeout(again, Math.max(everyMs, (Date.now() - begun) / share)).unref()
    }
    look().then(later, later) // it may be slow, or gone; the next start stops us
  }
  again()
  return () => void (stopped = true)
}

async function rpc(url: string, method: string): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    signal: AbortSignal.timeout(10_000),
  })
  const { result } = (await answer.json()) as { result?: unknown }
  if (typeof result !== 'string') throw new Error(`${method} gave no answer`)
  return result
}

async function replace(file: string, content: string | Buffer): Promise<void> {
  await writeFile(`${file}.new`, content)
  await rename(`${file}.new`, file)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
