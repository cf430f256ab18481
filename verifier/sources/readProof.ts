import { ServiceError } from '@perigee/core/errors'
import type { Http } from '@perigee/core/receipt/gather'

const limit = 4 * 1024 * 1024

/** The service's answer for a proof URL. A page's URL answers HTML; then the service's own address is tried. */
export async function readProof({ get }: Http, url: string, slug: string, api: string | undefined): Promise<unknown> {
  const candidates = api === undefined ? [url] : [url, `${api}/proof/${encodeURIComponent(slug)}`]
  let failure = new ServiceError('service_unavailable', 'no address to ask')
  for (const candidate of candidates) {
    try {
      return parseJson(await get(candidate, { headers: { accept: 'application/json' }, limit }))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      failure = error.facts['status'] === 404 ? notFound(candidate, slug) : error
    }
  }
  throw failure
}

/** Only an address of the service's own kind knows which proofs there are. */
function notFound(url: string, slug: string): ServiceError {
  const { host, pathname } = new URL(url)
  if (/\/proof\/[^/]+\/?$/.test(pathname)) return new ServiceError('proof_not_found', `${host} knows no proof ${slug}`)
  return new ServiceError('service_unavailable', `${host} answered 404; give the service with --api`, { status: 404 })
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new ServiceError('service_unavailable', 'the address answered with a page; give the service with --api')
  }
}
