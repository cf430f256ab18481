import { generateNonce } from 'siwe'
import { openSession } from '../../session'

/** A nonce for one sign-in, kept in the session. */
export async function POST() {
  const session = await openSession()
  session.nonce = generateNonce()
  await session.save()
  return Response.json({ nonce: session.nonce })
}
