/** The page for what was pasted: a link, a proof's name, a CID, a transaction or a wallet. Null for anything else. */
export function pathFor(text: string): string | null {
  const name = text.trim().split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1) ?? ''
  if (/^0x[0-9a-f]{64}$/i.test(name)) return `/t/${name.toLowerCase()}`
  if (/^0x[0-9a-f]{40}$/i.test(name)) return `/w/${name.toLowerCase()}`
  if (/^0x/i.test(name)) return null
  if (/^baf[a-z2-7]{56}$/.test(name)) return `/r/${name}`
  return /^[A-Za-z0-9_-]{1,128}$/.test(name) ? `/p/${name}` : null
}
