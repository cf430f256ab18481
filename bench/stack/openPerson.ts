import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataSource } from 'typeorm'
import { serializeSigned, transactionDigest, type TxMetadata } from '@perigee/core'
import type { SignDigestResult } from '@perigee/core/workflow'
import { createPublicClient, http } from 'viem'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { fund } from '../../tests/harness/index.js'
import { clientWith, sessionHeaders, signIn } from '../../dev/signIn.js'
import { send } from '../api/ask.js'
import type { BenchStack } from './openStack.js'

export interface PersonPlace {
  /** The API. */
  url: string
  database: DataSource
  /** Of the wallet's chain, when the person sends what they sign. */
  rpcUrl?: string
}

/** A new user with a wallet, and what they do through the API at `url`. */
export async function openPerson({ file }: BenchStack, { url, database, rpcUrl }: PersonPlace) {
  const browser = await signIn(file.apiUrl, `${randomUUID()}@example.test`, `${file.webUrl}/`, url)
  const { api } = clientWith(browser, { ...file, apiUrl: url, rpcUrl: rpcUrl ?? file.rpcUrl })
  const { address } = await api.provisionWallet()
  const chain = rpcUrl === undefined ? null : createPublicClient({ transport: http(rpcUrl) })
  if (chain) await fund(address, '100', rpcUrl)
  const headers = sessionHeaders(browser, file)
  let nonce = 0

  return {
    api,
    /** For requests that the SDK would not make. */
    headers,

    /** Another transaction each time. */
    newRequest() {
      const txMetadata = newTransaction({ chainId: file.chainId, nonce: nonce++, maxFeePerGas: '20000000000' })
      return { digest: transactionDigest(txMetadata), txMetadata }
    },

    /** `POST /sign/digest`, without the SDK, whose `fetch` would be measured too. */
    async signDigest(body: ReturnType<typeof this.newRequest>): Promise<SignDigestResult> {
      return JSON.parse(await send(`${url}/sign/digest`, headers, body)) as SignDigestResult
    },

    /** Broadcasts what was signed, if this person does. */
    async send({ txMetadata }: { txMetadata: TxMetadata }, { signature }: SignDigestResult): Promise<void> {
      await chain?.sendRawTransaction({ serializedTransaction: serializeSigned(txMetadata, signature) })
    },

    /** Signs, broadcasts, and returns the slug of the proof. */
    async sign(): Promise<string> {
      const request = this.newRequest()
      const signed = await this.signDigest(request)
      await this.send(request, signed)
      return signed.slug
    },

    /** Reads the record: asking the API would cost the service a workflow query each time. */
    async whenComplete(slug: string, everyMs = 20): Promise<void> {
      for (;;) {
        const rows = await database.query<{ status: string }[]>('SELECT status FROM publications WHERE slug = $1', [
          slug,
        ])
        const status = rows[0]?.status ?? ''
        if (status === 'complete') return
        if (status.endsWith('failed')) throw new Error(`the proof ${slug} is ${status}`)
        await sleep(everyMs)
      }
    },
  }
}

export type Person = Awaited<ReturnType<typeof openPerson>>
