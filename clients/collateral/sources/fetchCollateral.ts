import { ServiceError } from '@perigee/core'

const maxBytes = 1024 * 1024
const timeoutMs = 10_000

/** One answer of a vendor's service. Throws `collateral_unavailable`. */
export async function fetchCollateral(address: string): Promise<{ body: Buffer; headers: Headers }> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
    if (!response.ok) throw new Error(`HTTP status ${response.status}`)
    const body = Buffer.from(await response.arrayBuffer())
    if (body.length > maxBytes) throw new Error('the answer is too large')
    return { body, headers: response.headers }
  } catch (cause) {
    throw new ServiceError('collateral_unavailable', 'the collateral service does not answer', { path: new URL(address).pathname }, cause) // prettier-ignore
  }
}
