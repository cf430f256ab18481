import type { ServerResponse } from 'node:http'
import { badgeState, badgeSvg, type BadgeState } from './badgeSvg.js'

const timeoutMs = 4000

/** The slug in `/badge/<slug>.svg`, or null. Only characters of slugs, so that no other path of the service is asked. */
export function badgeSlug(path: string): string | null {
  return /^\/badge\/([A-Za-z0-9_-]{1,128})(?:\.svg)?$/.exec(path)?.[1] ?? null
}

/** Answers with the proof's current state, as a picture that any site may show. */
export async function serveBadge(apiUrl: string, slug: string, response: ServerResponse): Promise<void> {
  const state = await readState(apiUrl, slug)
  response.writeHead(200, {
    'content-type': 'image/svg+xml',
    'content-security-policy': `default-src 'none'`,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': `public, max-age=${state === 'complete' || state === 'simulated' ? 300 : 15}`,
  })
  response.end(badgeSvg(state))
}

async function readState(apiUrl: string, slug: string): Promise<BadgeState> {
  try {
    const response = await fetch(`${apiUrl}/proof/${slug}`, { signal: AbortSignal.timeout(timeoutMs) })
    return response.ok ? badgeState(await response.json()) : 'unknown'
  } catch {
    return 'unknown'
  }
}
