import type { TrustAnchors } from '@perigee/core/receipt'
import type { ReceiptVerdict } from '@perigee/core/receipt/verify'
import { runVerification } from '../../web/verify/runVerification.js'

export interface PageQuestion {
  cid: string
  /** Of gateway and node. */
  url: string
  anchors: TrustAnchors
  now: number
}

export type PageAnswer = { verdict: ReceiptVerdict; showsFacts: boolean } | { code: string }

/** What the proof page's own code says, without its React components. Runs in a browser. */
export async function verdictOn({ cid, url, anchors, now }: PageQuestion): Promise<PageAnswer> {
  Date.now = () => now * 1000
  const config = {
    apiBaseUrl: url,
    chainId: 31337,
    rpcUrl: url,
    identityProvider: url,
    ipfsGatewayUrl: url,
    contracts: anchors.contracts.slice(0, 1).map(({ address }) => address),
  }
  const trust = { anchors, source: 'a file', cid: '' }
  try {
    const options = { trust, tamper: false, onSteps: () => undefined }
    const { verdict, verified } = await runVerification({ kind: 'cid', cid }, config, options)
    return { verdict, showsFacts: verified !== null }
  } catch (error) {
    return { code: (error as { code?: string }).code ?? String(error) }
  }
}
