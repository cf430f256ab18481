import { ServiceError } from '../errors/ServiceError.js'

const parameter = 'sign_in_error'
const remedies: Record<string, string> = {
  sign_in_expired: 'Sign in again, in one browser and within ten minutes.',
  sign_in_refused: 'Sign in again and approve.',
  email_not_verified: 'Verify your e-mail address at the identity provider, then sign in again.',
}

/** The address without what the service adds when a sign-in fails. */
export function withoutSignInError(href: string): string {
  if (!href.includes(parameter)) return href
  const url = new URL(href)
  url.searchParams.delete(parameter)
  return url.href
}

/** Why the sign-in that led to this page failed, or null. Told once: it is taken out of the page's address. */
export function takeSignInError(): ServiceError | null {
  const { location, history } = globalThis
  const given = new URLSearchParams(location?.search).get(parameter)
  if (given === null) return null
  history.replaceState(history.state, '', withoutSignInError(location.href))
  const code = /^[a-z_]{1,40}$/.test(given) ? given : 'sign_in_failed' // anyone can make a link with any text in it
  const remedy = Object.hasOwn(remedies, code) ? remedies[code] : 'Sign in again, or a little later.'
  return new ServiceError(code, 'The sign-in failed.', { remedy, facts: { step: 'sign_in' } })
}
