import type { ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { badgeState, badgeSvg, type BadgeState } from './badgeSvg.js'

const timeoutMs = 4000
const cacheMs = 3000
/** How long readers may keep a state. One that could not be read may be another a moment later. */
const cacheControl: Record<BadgeState, string> = {
  complete: 'public, max-age=300',
  simulated: 'public, max-age=300',
  pending: 'public, max-age=15',
  failed: 'public, max-age=15',
  missing: 'public, max-age=15',
  unknown: 'no-store',
}

/** The slug in `/badge/<slug>.svg`, or null. Only characters of slugs, so that no other path of the service is asked. */
export function badgeSlug(path: string): string | null {
  return /^\/badge\/([A-Za-z0-9_-]{1,128})(?:\.svg)?$/.exec(path)?.[1] ?? null
}

/**
 * Answers with the proof's current state, as a picture that any site may show. Readers of a busy site share one answer of
 * the service, also a failed one, so that badges cannot overload it.
 */
export function createServeBadge(apiUrl: string) {
  const states = new LRUCache<string, BadgeState>({
    max: 1000,
    ttl: cacheMs,
    fetchMethod: (slug) => readState(apiUrl, slug),
  })
  return async (slug: string, response: ServerResponse): Promise<void> => {
    const state = (await states.fetch(slug)) ?? 'unknown'
    response.writeHead(200, {
      'content-type': 'image/svg+xml',
      'content-security-policy': `default-src 'none'`,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': cacheControl[state],
    })
    response.end(badgeSvg(state))
  }
}

/** Only a 404 says that there is no proof. */
async function readState(apiUrl: string, slug: string): Promise<BadgeState> {
  try {
    const response = await fetch(`${apiUrl}/proof/${slug}`, { signal: AbortSignal.timeout(timeoutMs) })
    if (response.status === 404) return 'missing'
    return response.ok ? badgeState(await response.json()) : 'unknown'
  } catch {
    return 'unknown'
  }
}
