import type { Hex, ServiceClient } from '@perigee/sdk'
import { useCallback, useEffect, useState } from 'react'

export type Balance = ReturnType<typeof useBalance>

const everyMs = 10_000

/** The wallet's balance, read now, after `reload`, and every ten seconds while the page is visible. */
export function useBalance(client: ServiceClient, address: Hex) {
  const [state, setState] = useState<{ wei: bigint | null; failed: boolean }>({ wei: null, failed: false })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let gone = false
    const read = async () => {
      try {
        const wei = await client.publicClient.getBalance({ address })
        if (!gone) setState({ wei, failed: false })
      } catch {
        if (!gone) setState((old) => ({ ...old, failed: true }))
      }
    }
    void read()
    const timer = setInterval(() => {
      if (!document.hidden) void read()
    }, everyMs)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [client, address, turn])
  const reload = useCallback(() => setTurn((old) => old + 1), [])
  return { ...state, reload }
}
