import { getIronSession } from 'iron-session'
import { cookies } from 'next/headers'

interface Session {
  /** Asked for, not used yet. */
  nonce?: string
  /** Who signed in. */
  address?: string
}

/** This backend's own session: a sealed cookie. */
export async function openSession() {
  return getIronSession<Session>(await cookies(), {
    cookieName: 'shop',
    password: process.env.SESSION_SECRET ?? '',
    cookieOptions: { sameSite: 'lax' },
  })
}
