import type { Network } from './createHttp.js'

const busy = [429, 502, 503, 504]
const waitsMs = [250, 1000]

/** Public nodes refuse bursts. Their calls only read, so they are repeated when one says that it is busy. */
export function fetchAgain(fetch: Network['fetch'], wait: (ms: number) => Promise<unknown>): Network['fetch'] {
  return async (url, init) => {
    for (const waitMs of waitsMs) {
      const response = await fetch(url, init)
      if (!busy.includes(response.status)) return response
      await response.body?.cancel()
      await wait(waitMs)
    }
    return fetch(url, init)
  }
}
