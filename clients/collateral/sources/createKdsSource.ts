import { readFile } from 'node:fs/promises'
import { ServiceError } from '@perigee/core'
import type { CrlSource } from '../CollateralSupply.js'
import { fetchCollateral } from './fetchCollateral.js'

/** AMD's Key Distribution Service (57230), or a cache of it. The server is not trusted: the ARK's signature is verified later. */
export function createKdsSource({ url, timeoutMs }: { url: string; timeoutMs?: number }): CrlSource {
  const base = url.replace(/\/+$/, '')
  return async ({ product, kind }) => {
    const { body } = await fetchCollateral(`${base}/${kind.toLowerCase()}/v1/${product}/crl`, timeoutMs)
    return new Uint8Array(body)
  }
}

/** The simulated chip's list, from the simulation folder. */
export function createCrlFileSource(path: string): CrlSource {
  return async () => {
    const file = await readFile(path).catch((cause: unknown) => {
      throw new ServiceError(
        'collateral_unavailable',
        'the simulated CRL cannot be read; start with --fresh',
        {},
        cause,
      )
    })
    return new Uint8Array(file)
  }
}
