import { describe, expect, test } from 'vitest'
import { ServiceClient, type ProofStatus } from '@perigee/sdk'
import { isTrue, type Rig } from './rig.js'

/** `useAttestation` on real proofs, in real time. */
export function describePolling(rig: () => Rig): void {
  const polls = (slug: string) => rig().page.calls.filter(({ line }) => line === `GET /proof/${slug}`)
  const until = (condition: () => boolean, timeout = 180_000) =>
    rig().page.waitFor(() => isTrue(condition()), { timeout, interval: 50 })
  const pause = (ms: number) => rig().page.act(() => new Promise((resolve) => setTimeout(resolve, ms)))

  const reaches = (slug: string, status: ProofStatus) =>
    expect
      .poll(async () => (await new ServiceClient(rig().config).api.getProof(slug)).status, {
        interval: 200,
      })
      .toBe(status)

  describe('useAttestation', () => {
    test('asks at once, then 4 s after each response, also after an error; stops on complete, unmount and slug change', async () => {
      await rig().signIn('ada@example.test')
      const kubo = rig().site.stack.processes['kubo'] as number
      process.kill(kubo, 'SIGSTOP') // the proofs stay pending_pin
      const slugs: string[] = []
      for (let i = 0; i < 3; i++) slugs.push((await rig().send()).attestationSlug)
      const [followed = '', unmounted = '', changed = ''] = slugs
      rig().signOut() // a proof is public
      rig().page.forget()
      const view = rig().watch(followed)
      expect(view.result.current).toEqual({ proof: null, loading: true, error: null })
      const gone = rig().watch(unmounted)
      const other = rig().watch(changed)
      await until(() => [view, gone, other].every(({ result }) => result.current.proof !== null), 3000)
      expect(view.result.current).toMatchObject({ loading: false, error: null, proof: { status: 'pending_pin' } })
      expect(view.result.current.proof).toMatchObject({
        slug: followed,
        ipfsCid: null,
        receipt: null,
        onchainTxHash: null,
      })
      gone.unmount()
      other.rerender({ slug: null as never })

      rig().api.set('down', (text) => text.includes(followed))
      await until(() => view.result.current.error !== null, 8000)
      expect(view.result.current).toMatchObject({ proof: { slug: followed }, error: { code: 'network_error' } })
      rig().api.set('none')
      process.kill(kubo, 'SIGCONT')
      await until(() => polls(followed).length === 3 && view.result.current.error === null, 8000)
      await until(() => view.result.current.proof?.status === 'complete', 60_000)
      const asked = polls(followed)
      for (let i = 1; i < asked.length; i++) {
        const waited = (asked[i]?.startedAt ?? 0) - (asked[i - 1]?.endedAt ?? 0)
        expect(waited).toBeGreaterThanOrEqual(3990)
        expect(waited).toBeLessThan(8000) // a busy machine; never twice the interval
      }
      await pause(4500)
      expect([followed, unmounted, changed].map((slug) => polls(slug).length)).toEqual([asked.length, 1, 1])
      // Falsy: inert, and the last proof stays.
      expect(other.result.current).toMatchObject({ loading: false, error: null, proof: { slug: changed } })
    })

    test('the payload of a complete proof has every field of the spec, and the receipt its three members', async () => {
      await rig().signIn('ada@example.test')
      const { attestationSlug: slug, txHash } = await rig().send()
      const { result } = rig().watch(slug)
      await until(() => result.current.proof?.status === 'complete', 60_000)
      const { proof } = result.current
      expect(Object.keys(proof ?? {}).sort()).toEqual(
        ['slug', 'txHash', 'chainId', 'walletAddress', 'status', 'ipfsCid', 'ipfsUrl', 'onchainTxHash', 'createdAt']
          .concat(['onchainBlockNumber', 'kmsQuoteVerified', 'receipt'])
          .concat('kind') // beyond the spec: births have proofs too
          .sort(),
      )
      expect(proof).toMatchObject({
        kind: 'transaction',
        slug,
        txHash,
        chainId: rig().config.chainId,
        kmsQuoteVerified: true,
      })
      expect(proof?.ipfsCid).toMatch(/^bafkrei/) // CIDv1
      expect(proof?.onchainBlockNumber).toBeGreaterThan(0)
      expect(proof?.receipt).toMatchObject({ signer: {}, coordinator: {}, entropy: {}, transaction: { txHash } })
    })

    test('stops on pin_failed and on onchain_failed', async () => {
      await rig().signIn('ada@example.test')
      rig().site.ipfs.set('garble', (request) => request.includes('/block/get'))
      const unpinned = (await rig().send()).attestationSlug
      await reaches(unpinned, 'pin_failed')
      rig().site.ipfs.set('none')
      await rig().site.allowPublisher(false)
      const unpublished = (await rig().send()).attestationSlug
      await reaches(unpublished, 'onchain_failed')
      await rig().site.allowPublisher(true)
      rig().page.forget()
      const views = [unpinned, unpublished].map((slug) => rig().watch(slug))
      await until(() => views.every(({ result }) => result.current.proof !== null), 5000)
      const [pin, chain] = views.map(({ result }) => result.current.proof)
      expect(pin).toMatchObject({ status: 'pin_failed', ipfsCid: null, receipt: null })
      expect(chain).toMatchObject({ status: 'onchain_failed', onchainBlockNumber: null })
      expect(chain?.receipt).not.toBeNull()
      const asked = () => [unpinned, unpublished].map((slug) => polls(slug).length)
      const before = asked() // one each, unless a busy machine did not answer the first
      await pause(4500)
      expect(asked()).toEqual(before)
    })

    test('is inert for a falsy slug', async () => {
      rig().page.forget()
      const views = [null, undefined, ''].map((slug) => rig().watch(slug))
      await pause(300)
      for (const { result } of views) expect(result.current).toEqual({ proof: null, loading: false, error: null })
      expect(rig().page.linesLike(/\/proof\//)).toEqual([])
    })
  })
}
