import type { Standing } from './ShownProof.js'

const words: Record<Standing, { text: string; tone: 'good' | 'busy' | 'bad' }> = {
  claimed: { text: 'As the service says, not verified yet', tone: 'busy' },
  stored: { text: 'As the receipt says, not verified yet', tone: 'busy' },
  verified: { text: 'Read from the bytes that your browser verified', tone: 'good' },
  refused: { text: 'Not verified: do not rely on it', tone: 'bad' },
}

/** Says who vouches for what is shown beside it. */
export function StandingChip({ standing }: { standing: Standing }) {
  const { text, tone } = words[standing]
  return <span className={`chip standing ${tone}`}>{text}</span>
}
