import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { UsageError } from '@perigee/core/config'
import type { WalletRow } from '@perigee/core/receipt/wallet'
import { maxFileBytes } from '../sources/readFile.js'

/** What a state belongs to. Rows that were made for anything else prove nothing here. */
export interface StateOf {
  wallet: string
  chainId: number
  contract: string
  /** CID of the trust anchors. */
  trust: string
  confirmations: number
  /** CIDs of AMD's lists of revoked certificates. */
  amdCrls: readonly string[]
}

const version = 'perigee-wallet-check/1'
const hex = z.string().regex(/^0x[0-9a-f]+$/)
const rowSchema = z.strictObject({
  key: hex,
  cid: z.string(),
  txHash: hex,
  kind: z.enum(['transaction', 'birth', 'message']),
  blockNumber: z.int(),
  verified: z.literal(true), // others are verified again
  failure: z.null(),
  simulated: z.boolean(),
  chainId: z.int(),
  nonce: z.int().nullable(),
  sample: hex,
  delay: z.int(),
  included: z.literal(true).nullable(),
})

/**
 * The rows that earlier runs finished, one line of JSON each after a first line that says what they belong to. A run
 * that was killed leaves half a line at most, which is cut off. A file that does not fit is refused.
 */
export async function openState(cwd: string, path: string, about: StateOf) {
  const first = JSON.stringify({ version, ...about })
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK
  const file = await open(resolve(cwd, path), flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`cannot use ${path}: ${error.code ?? 'unknown error'}`)
  })
  try {
    const info = await file.stat()
    if (!info.isFile() || info.size > maxFileBytes * 8) throw refused(path, 'it is no file of this program')
    const text = await file.readFile('utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (text !== '' && whole === '') throw refused(path, 'it is no file of this program')
    const [head, ...lines] = whole.split('\n').slice(0, -1)
    if (head !== undefined && head !== first) {
      throw refused(path, 'it belongs to another wallet, chain, contract, trust, number of confirmations or AMD list')
    }
    const finished = new Map(lines.map((line, index) => parseRow(line, `${path}:${index + 2}`)))
    await file.truncate(Buffer.byteLength(whole))
    let at = Buffer.byteLength(whole)
    const write = async (line: string) => void (at += (await file.write(`${line}\n`, at)).bytesWritten)
    if (head === undefined) await write(first)
    /** Keeps a row for the next run. */
    const add = async (row: WalletRow): Promise<void> => {
      if (finished.has(row.key) || !row.verified || row.included === false) return
      await write(JSON.stringify(row))
    }
    return { finished, add, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

function parseRow(line: string, place: string): [string, WalletRow] {
  try {
    const row = rowSchema.parse(JSON.parse(line)) as WalletRow
    return [row.key, row]
  } catch {
    throw refused(place, 'this line is no finished receipt')
  }
}

const refused = (path: string, why: string) => new UsageError(`--state ${path}: ${why}`)
