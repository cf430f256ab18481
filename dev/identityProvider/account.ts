const emailPattern = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/

/** The address in one spelling, or null when it is not an address. Any address will do: this provider asks for no proof. */
export function parseEmail(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const email = text.trim().toLowerCase()
  return emailPattern.test(email) ? email : null
}

/** The same person always gets the same subject, also after a restart or with a new data folder. */
export function subjectOf(email: string): string {
  return `dev-${Buffer.from(email, 'utf8').toString('base64url')}`
}

/** Claims of a subject that `subjectOf` made; undefined for any other. */
export function claimsOf(subject: string) {
  const email = subject.startsWith('dev-') ? parseEmail(Buffer.from(subject.slice(4), 'base64url').toString()) : null
  if (!email) return undefined
  return { sub: subject, email, email_verified: true, name: nameOf(email) }
}

/** `ada.lovelace@example.test` is called Ada Lovelace. */
function nameOf(email: string): string {
  const words = (email.split('@')[0] as string).split(/[._+-]+/).filter(Boolean)
  return words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(' ') || email
}
