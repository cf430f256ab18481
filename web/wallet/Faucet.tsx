import { useService, type Hex } from '@perigee/sdk'
import { useEffect, useState } from 'react'

const gift = 10n ** 18n

type LocalRequest = (call: { method: string; params: unknown[] }) => Promise<unknown>

/** Test ether on the local chain. On every other chain there is nothing to see. */
export function Faucet({ address, onFunded }: { address: Hex; onFunded: () => void }) {
  const { client } = useService()
  const [state, setState] = useState<'absent' | 'idle' | 'busy' | 'failed'>('absent')
  const request = client.publicClient.request as unknown as LocalRequest
  useEffect(() => {
    // Only anvil knows this method; a real node refuses it, and then there is no faucet.
    if (client.chainId !== 31337) return
    let gone = false
    request({ method: 'anvil_nodeInfo', params: [] }).then(
      () => gone || setState('idle'),
      () => undefined,
    )
    return () => void (gone = true)
  }, [client, request])
  if (state === 'absent') return null
  const fund = async () => {
    setState('busy')
    try {
      const balance = await client.publicClient.getBalance({ address })
      await request({ method: 'anvil_setBalance', params: [address, `0x${(balance + gift).toString(16)}`] })
      setState('idle')
      onFunded()
    } catch {
      setState('failed')
    }
  }
  return (
    <p className="actions">
      <button type="button" className="button" disabled={state === 'busy'} onClick={() => void fund()}>
        Get 1 test ETH
      </button>
      <span role="status">{state === 'failed' && 'The local chain does not answer. Is npm start running?'}</span>
    </p>
  )
}
