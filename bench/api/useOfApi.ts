import { randomUUID } from 'node:crypto'
import type { Person } from '../stack/openPerson.js'
import type { MeasuredApi } from './openApi.js'

/** Users who call every route, correctly and wrongly, at a steady rate. */
export async function useOfApi(api: MeasuredApi) {
  const users: Person[] = []
  while (users.length < 8) users.push(await api.newPerson())
  const get = (path: string, user?: Person) => fetch(api.url + path, user ? { headers: user.headers } : {})
  const post = (user: Person, path: string, body: unknown, more: Record<string, string> = {}) =>
    fetch(api.url + path, { method: 'POST', headers: { ...user.headers, ...more }, body: JSON.stringify(body) })

  let count = 0
  const slugs: string[] = []
  const statuses = new Map<number, number>()
  const slug = () => slugs[count % Math.max(1, slugs.length)] ?? 'AAAAAAAAAAAAAAAAAAAAAA'

  async function sign(user: Person): Promise<Response> {
    const answer = await post(user, '/sign/digest', user.newRequest(), { 'idempotency-key': `"${randomUUID()}"` })
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

  async function signInGuest(user: Person): Promise<Response> {
    await api.signIn(`guest-${count % 40}@example.test`)
    return get('/auth/me', user)
  }

  const uses: [every: number, use: (user: Person) => Promise<Response>][] = [
    [125, sign],
    [101, signInGuest],
    [53, glance],
    [31, () => get('/health/attestation')],
    [29, () => get('/health/ready')],
    [23, (user) => get('/auth/sessions', user)],
    [19, () => get(`/nowhere/${count}`)],
    [13, (user) => post(user, '/wallet/provision', {})],
    [11, (user) => post(user, '/sign/digest', { ...user.newRequest(), digest: `0x${'00'.repeat(32)}` })],
    [7, (user) => get('/wallet/me', user)],
    [3, (user) => get('/auth/me', user)],
    [1, () => get(`/proof/${slug()}`)],
  ]

  async function useOnce(): Promise<void> {
    count += 1
    const [, use] = uses.find(([every]) => count % every === 0) as (typeof uses)[number]
    const answer = await use(users[count % users.length] as Person)
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
