import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import pg from 'pg'
import { fromHex, type Hex } from '@perigee/core'
import { parseQuoteCollateral, verifyQuote } from '@perigee/core/tdx'
import { parseSignature } from '@perigee/core/transaction'
import type { PublishReceiptInput, SignDigestInput } from '@perigee/core/workflow'
import { recoverAddress } from '../../clients/enclave/secp256k1.js'
import type { ChannelFiles } from '../../core/x509/testing/createChannelCertificates.js'

/** Where the floor's enclave is, and its trust anchors. */
export interface FloorEnclave {
  dir: string
  url: string
  channel: ChannelFiles
}

interface Evidence {
  digest: Hex
  signature: Hex
  quote: Hex
}

const takeSql = `
  UPDATE floor_samples SET purpose = $1 WHERE id =
    (SELECT id FROM floor_samples WHERE purpose IS NULL LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING sample, set_config('synchronous_commit', 'off', true)`

/**
 * The four steps with the one thing in each that nobody can leave out: a sample is taken, the enclave signs and quotes, the quote
 * is verified and the signer recovered, the evidence is committed.
 */
export function createFloorSteps(databaseUrl: string, { dir, url, channel }: FloorEnclave) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const agent = new Agent({
    keepAlive: true,
    cert: readFileSync(channel.clientCert),
    key: readFileSync(channel.clientKey),
    ca: readFileSync(channel.ca),
  })
  const root = readFileSync(join(dir, 'tdx', 'root.der'))
  const collateral = parseQuoteCollateral(JSON.parse(readFileSync(join(dir, 'tdx', 'collateral.json'), 'utf8')))

  const post = (body: string) =>
    new Promise<Evidence>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as Evidence))
      })
      sent.on('error', reject).end(body)
    })

  return {
    async fetchEntropy({ digest }: SignDigestInput): Promise<string> {
      const { rows } = await pool.query<{ sample: string }>({ name: 'take', text: takeSql, values: [digest] })
      return rows[0]?.sample ?? ''
    },
    signInEnclave: ({ input, entropy }: { input: SignDigestInput; entropy: string }) =>
      post(JSON.stringify({ ...input, entropy })),
    async verifyQuote({ evidence }: { evidence: Evidence }): Promise<string> {
      const verdict = verifyQuote(fromHex(evidence.quote), collateral, root, Math.floor(Date.now() / 1000))
      const signer = await recoverAddress({ hash: evidence.digest, signature: parseSignature(evidence.signature) })
      return signer + (await verdict).tcbStatus
    },
    async recordSignature(record: { input: SignDigestInput; evidence: Evidence }) {
      const { digest, transaction } = record.input
      const slug = randomUUID()
      const text = 'INSERT INTO floor_records VALUES ($1, $2)'
      await pool.query({ name: 'record', text, values: [slug, JSON.stringify(record)] })
      const names = { slug, txHash: digest, wallet: transaction.to, chainId: transaction.chainId }
      const publication: PublishReceiptInput = { kind: 'transaction', ...names }
      return { ...publication, signature: record.evidence.signature }
    },
  }
}
