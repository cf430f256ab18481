import type { CrlSource } from '../createRevocationLists.js'
import { fetchCollateral } from './fetchCollateral.js'

/** AMD's Key Distribution Service (57230), or a cache of it. The server is not trusted: the ARK's signature is verified later. */
export function createKdsSource(url: string): CrlSource {
  const base = url.replace(/\/+$/, '')
  return async ({ product, kind }) => {
    const { body } = await fetchCollateral(`${base}/${kind.toLowerCase()}/v1/${product}/crl`)
    return new Uint8Array(body)
  }
}
