/** What a badge can say. It repeats what the service says; only the page it links to verifies. */
export type BadgeState = 'complete' | 'simulated' | 'pending' | 'failed' | 'missing' | 'unknown'

const looks: Record<BadgeState, { text: string; colour: string; width: number }> = {
  complete: { text: 'proof published', colour: '#1f7a4d', width: 96 },
  simulated: { text: 'proof published · simulated', colour: '#7a5200', width: 164 },
  pending: { text: 'proof under way', colour: '#3b5bdb', width: 100 },
  failed: { text: 'proof incomplete', colour: '#b3261e', width: 102 },
  missing: { text: 'no proof found', colour: '#566274', width: 96 },
  unknown: { text: 'state unknown', colour: '#566274', width: 92 },
}
const left = 62

/** A small picture for other sites. It has no script, font or style, and loads nothing. */
export function badgeSvg(state: BadgeState): string {
  const { text, colour, width } = looks[state]
  const whole = left + width
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="22" viewBox="0 0 ${whole} 22" role="img" aria-label="Perigee: ${text}">
<title>Perigee: ${text}</title>
<rect width="${whole}" height="22" rx="5" fill="#1b2430"/>
<path d="M${left} 0h${width - 5}a5 5 0 0 1 5 5v12a5 5 0 0 1-5 5H${left}z" fill="${colour}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="15" textLength="46">Perigee</text>
<text x="${left + width / 2}" y="15" textLength="${width - 14}">${text}</text>
</g>
</svg>
`
}

/** The badge's state from the service's answer to `GET /proof/:slug`. Anything unexpected is `unknown`. */
export function badgeState(proof: unknown): BadgeState {
  const { status, receipt } = Object(proof) as { status?: unknown; receipt?: { simulated?: unknown } | null }
  if (status === 'pending_pin' || status === 'pending_onchain') return 'pending'
  if (status === 'pin_failed' || status === 'onchain_failed') return 'failed'
  if (status !== 'complete') return 'unknown'
  return receipt?.simulated === false ? 'complete' : 'simulated'
}
