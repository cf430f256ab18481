const whose: Record<string, string> = {
  user: 'your share',
  group: 'your group’s share',
  address: 'the share of your address',
}

const ofWhat: Record<string, string> = {
  perSecond: 'of signatures in a short time',
  perDay: 'of today’s signatures',
  unsent: 'of signed transactions that are not sent yet',
  streams: 'of event streams',
}

/** Tells a person which share is used up. */
export function describeRefusal(share: string): string {
  if (share === 'entropy') {
    return 'satellite entropy is running low today, and what is left is for users who have used less of it'
  }
  const [name = '', limit = ''] = share.split('.')
  const remedy =
    limit === 'unsent' ? 'send them, or wait as long as Retry-After says' : 'wait as long as Retry-After says'
  return `${whose[name]} ${ofWhat[limit]} is used up; ${remedy}`
}
