import { randomUUID } from 'node:crypto'
import { transactionDigest, type TxMetadata } from '@perigee/core'
import type { Browser } from '../../api/testing/Browser.js'
import { exampleTransaction } from '../../api/testing/exampleTransaction.js'
import type { MeasuredApi } from './openApi.js'

/** Users who call every route, correctly and wrongly, at a steady rate. */
export async function useOfApi(api: MeasuredApi, people = 8) {
  const browsers: Browser[] = []
  for (let index = 0; index < people; index++) browsers.push(await api.signIn(`person-${index}@example.test`))
  const headers = { origin: api.webOrigin, 'content-type': 'application/json' }
  const post = (browser: Browser, path: string, body: unknown, more: Record<string, string> = {}) =>
    browser.fetch(api.url + path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
  for (const browser of browsers) await post(browser, '/wallet/provision', {})

  let count = 0
  const slugs: string[] = []
  const statuses = new Map<number, number>()
  const slug = () => slugs[count % Math.max(1, slugs.length)] ?? 'AAAAAAAAAAAAAAAAAAAAAA'
  const transaction = (): TxMetadata => ({ ...exampleTransaction, chainId: api.stack.chainId, nonce: count })

  async function sign(browser: Browser): Promise<Response> {
    const txMetadata = transaction()
    const request = { digest: transactionDigest(txMetadata), txMetadata }
    const answer = await post(browser, '/sign/digest', request, { 'idempotency-key': `"${randomUUID()}"` })
    if (answer.ok) slugs.push(((await answer.clone().json()) as { slug: string }).slug)
    if (slugs.length > 200) slugs.shift()
    return answer
  }
  /** Opens an event stream and leaves it after the first event. */
  async function glance(): Promise<Response> {
    const left = new AbortController()
    const answer = await fetch(`${api.url}/proof/${slug()}/events`, { signal: left.signal })
    await answer.body?.getReader().read()
    left.abort()
    return answer
  }

  const uses: [every: number, use: (browser: Browser) => Promise<Response>][] = [
    [125, sign],
    [
      101,
      async (browser) => (await api.signIn(`guest-${count % 40}@example.test`), browser.fetch(`${api.url}/auth/me`)),
    ],
    [53, glance],
    [31, () => fetch(`${api.url}/health/attestation`)],
    [29, () => fetch(`${api.url}/health/ready`)],
    [23, (browser) => browser.fetch(`${api.url}/auth/sessions`)],
    [19, () => fetch(`${api.url}/nowhere/${count}`)],
    [13, (browser) => post(browser, '/wallet/provision', {})],
    [11, (browser) => post(browser, '/sign/digest', { digest: `0x${'00'.repeat(32)}`, txMetadata: transaction() })],
    [7, (browser) => browser.fetch(`${api.url}/wallet/me`)],
    [3, (browser) => browser.fetch(`${api.url}/auth/me`)],
    [1, () => fetch(`${api.url}/proof/${slug()}`)],
  ]

  async function useOnce(): Promise<void> {
    count += 1
    const [, use] = uses.find(([every]) => count % every === 0) as (typeof uses)[number]
    const answer = await use(browsers[count % browsers.length] as Browser)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (!answer.body?.locked) await answer.arrayBuffer()
  }

  return {
    statuses,
    get requests() {
      return count
    },
    /** Resolves after this long. Requests start at a steady pace, however long the answers take. */
    async run(seconds: number, perSecond: number): Promise<void> {
      const end = performance.now() + seconds * 1000
      const underWay = new Set<Promise<void>>()
      let next = performance.now()
      while (performance.now() < end) {
        if (underWay.size < 100) {
          const use = useOnce().catch(() => void statuses.set(0, (statuses.get(0) ?? 0) + 1))
          underWay.add(use)
          void use.finally(() => underWay.delete(use))
        }
        next = Math.max(next + 1000 / perSecond, performance.now() - 1000)
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
      }
      await Promise.all(underWay)
    },
  }
}
