import { SiweMessage } from 'siwe'
import { openSession } from '../../session'

/** Who is signed in. */
export async function GET() {
  const { address = null } = await openSession()
  return Response.json({ address })
}

/** Signs in: the message must be for this site, hold the session's nonce, and be signed by the account that it names. */
export async function POST(request: Request) {
  const session = await openSession()
  const { nonce } = session
  delete session.nonce // good for one attempt
  await session.save()
  try {
    const { message, signature } = (await request.json()) as { message: string; signature: string }
    if (!nonce) throw new Error('no nonce')
    const domain = new URL(process.env.APP_URL ?? '').host
    const { data } = await new SiweMessage(message).verify({ signature, nonce, domain })
    session.address = data.address
    await session.save()
    return Response.json({ address: data.address })
  } catch {
    return Response.json({ error: 'This sign-in is not valid.' }, { status: 401 })
  }
}

export async function DELETE() {
  const session = await openSession()
  session.destroy()
  return new Response(null, { status: 204 })
}
