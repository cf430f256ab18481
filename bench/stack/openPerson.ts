import { randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { transactionDigest, type TxMetadata } from '@perigee/core'
import { ServiceClient } from '@perigee/sdk'
import type { BenchStack } from './openStack.js'
import { signIn } from './signIn.js'

/** Somebody new with a wallet, and what they do through the API at `url`. */
export async function openPerson(stack: BenchStack, { url, database }: { url: string; database: DataSource }) {
  const { chainId, rpcUrl } = stack.file
  const browser = await signIn(stack, url, `${randomUUID()}@example.test`)
  const own = { cookie: browser.cookieHeader(new URL(url)), origin: stack.webOrigin }
  let nonce = 0
  /** Another transaction each time. */
  const request = () => {
    const txMetadata = { ...transfer, chainId, nonce: nonce++ }
    return { digest: transactionDigest(txMetadata), txMetadata }
  }
  const through = (apiBaseUrl: string) => {
    const { api } = new ServiceClient({
      ...{ apiBaseUrl, chainId, rpcUrl, identityProvider: 'dev' },
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...own } }),
    })
    return {
      api,
      request,
      /** The slug of its proof. */
      sign: async (wanted = request()): Promise<string> => (await api.signDigest(wanted)).slug,
      /** Looks at the record: asking the API would cost the service a workflow query each time. */
      async whenComplete(slug: string, everyMs = 20): Promise<void> {
        for (;;) {
          const rows = await database.query<{ status: string }[]>('SELECT status FROM publications WHERE slug = $1', [
            slug,
          ])
          const status = rows[0]?.status ?? ''
          if (status === 'complete') return
          if (status.endsWith('failed')) throw new Error(`the proof ${slug} is ${status}`)
          await new Promise((resolve) => setTimeout(resolve, everyMs))
        }
      },
    }
  }
  const person = through(url)
  await person.api.provisionWallet()
  return { ...person, /** The same person at another API with the same sessions. */ through }
}

export type Person = Awaited<ReturnType<typeof openPerson>>
/** Somebody at one API. */
export type Client = ReturnType<Person['through']>

const transfer: Omit<TxMetadata, 'chainId' | 'nonce'> = {
  ...{ to: '0x00000000000000000000000000000000000000aa', value: '1', data: '0x' },
  ...{ gas: '21000', maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000' },
}
