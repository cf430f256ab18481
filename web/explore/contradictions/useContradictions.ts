import { findContradictions, type ContradictionReport } from '@perigee/core/receipt/wallet'
import { useEffect, useRef, useState } from 'react'
import { useConfig } from '../../config/ConfigContext.js'
import { requireContracts } from '../readPublished.js'
import { createRpc, fetchFromIpfs } from '../../verify/createSources.js'

/** About 100 MB of hashes. */
const mostEvents = 200_000

interface Search {
  state: 'idle' | 'running' | 'ended'
  /** The newest block when the search started. */
  lastBlock: number | null
  report: ContradictionReport | null
  error: unknown
}

const idle: Search = { state: 'idle', lastBlock: null, report: null, error: null }

/** Searches every event of the contracts, in this browser, until it is done or stopped. */
export function useContradictions() {
  const config = useConfig()
  const [search, setSearch] = useState(idle)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (signal: AbortSignal) => {
    const update = (patch: Partial<Search>) => setSearch((old) => ({ ...old, ...patch }))
    try {
      const contract = requireContracts(config)
      const rpc = createRpc(config)
      const lastBlock = Number(await rpc('eth_blockNumber', []))
      update({ lastBlock })
      const sources = { rpc, fetchCid: (cid: string, what: string) => fetchFromIpfs(config, cid, what) }
      const walk = { contract, fromBlock: 0, toBlock: lastBlock }
      const onProgress = (report: ContradictionReport) => update({ report })
      const report = await findContradictions(sources, walk, { signal, onProgress, mostEvents })
      update({ report, state: 'ended' })
    } catch (error) {
      update({ error, state: 'ended' })
    }
  }

  return {
    ...search,
    start: () => {
      running.current = new AbortController()
      setSearch({ ...idle, state: 'running' })
      void run(running.current.signal)
    },
    stop: () => running.current?.abort(),
  }
}
