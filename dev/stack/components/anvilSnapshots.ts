import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const everyMs = 500
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

/** Saves the chain after every block, by a rename, until anvil is gone: so that kill -9 costs half a second at most. */
export function keepSnapshots(rpcUrl: string, dir: string): void {
  let saved = ''
  const look = async () => {
    const block = await rpc(rpcUrl, 'eth_blockNumber')
    if (block === saved) return
    const state = await rpc(rpcUrl, 'anvil_dumpState')
    const text = await promisify(gunzip)(Buffer.from(state.slice(2), 'hex'))
    await replace(join(dir, files.snapshot), text)
    saved = block
  }
  const again = () => {
    look().then(
      () => setTimeout(again, everyMs).unref(),
      (error: unknown) => {
        const { code } = ((error as Error).cause ?? {}) as { code?: string }
        if (code !== 'ECONNREFUSED') setTimeout(again, everyMs).unref() // slow, not gone
      },
    )
  }
  again()
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
