import { ServiceError, type Hex } from '@perigee/core'
import { z } from 'zod'
import { fetchBytes } from './fetchBytes.js'

const limit = 4 * 1024 * 1024
const pointer = z.object({
  txHash: z.string().regex(/^0x[0-9a-f]{64}$/),
  ipfsCid: z.string().nullable(),
  status: z.string().max(40),
  onchainBlockNumber: z.int().nonnegative().nullable(),
})

/** What a slug stands for, by the service's word. Nothing else of its answer is used. */
export interface ProofPointer {
  txHash: Hex
  ipfsCid: string
  onchainBlockNumber: number | null
}

/** Asks the service what a proof URL stands for. A page's URL answers HTML; then the service's own address is tried. */
export async function readProof(url: string, api: string | undefined): Promise<ProofPointer> {
  const slug = new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? ''
  const candidates = [url, ...(api === undefined ? [] : [`${api}/proof/${slug}`])]
  let failure = new ServiceError('service_unavailable', 'no address to ask')
  for (const candidate of candidates) {
    try {
      return parsePointer(await fetchBytes(candidate, { headers: { accept: 'application/json' }, limit }))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      failure = error
      if (error.code === 'evidence_missing') break
    }
  }
  throw failure
}

function parsePointer(bytes: Uint8Array): ProofPointer {
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new ServiceError('service_unavailable', 'the address answered with a page; give the service with --api')
  }
  const result = pointer.safeParse(body)
  if (!result.success) throw new ServiceError('service_unavailable', 'the service’s answer is not a proof')
  const { txHash, ipfsCid, status, onchainBlockNumber } = result.data
  if (ipfsCid === null) {
    throw new ServiceError('evidence_missing', `the receipt is not published yet: ${status}`, { status })
  }
  return { txHash: txHash as Hex, ipfsCid, onchainBlockNumber }
}
