import { useAttestation, useSign, useSignMessage, useSignTypedData, useWallet, type ServiceError } from '@perigee/sdk'
import { order } from './order.js'

export function App() {
  const { user, wallet, ready, login, logout } = useWallet()
  const { signMessage, ...message } = useSignMessage()
  const { signTypedData, ...data } = useSignTypedData()
  const { signAndSend, ...sent } = useSign()
  if (!ready) return <p>Loading…</p>
  if (!user) return <button onClick={login}>Sign in</button>
  if (!wallet) return <p>Making your wallet…</p>
  const gift = { to: '0x00000000000000000000000000000000000000aa', value: '0.01' } as const
  return (
    <main>
      <h1>Wallet of {user.email}</h1>
      <p>{wallet.address}</p>
      <Action {...message} name="Sign a message" slug={message.lastResult?.slug} run={() => signMessage('Hello')} />
      <Action {...data} name="Sign typed data" slug={data.lastResult?.slug} run={() => signTypedData(order)} />
      <Action {...sent} name="Send 0.01 ETH" slug={sent.lastResult?.attestationSlug} run={() => signAndSend(gift)} />
      <button onClick={() => void logout()}>Sign out</button>
    </main>
  )
}

type Hook = { pending: boolean; error: ServiceError | null }
type ActionProps = Hook & { name: string; slug: string | undefined; run: () => Promise<unknown> }

function Action({ name, slug, pending, error, run }: ActionProps) {
  const { proof } = useAttestation(slug)
  const status = slug ? `signed, proof ${proof?.status ?? 'on its way'}` : 'nothing yet'
  return (
    <section>
      <button disabled={pending} onClick={() => void run().catch(() => undefined)} children={name} />
      <p role={pending ? 'status' : undefined}>{pending ? 'Signing…' : status}</p>
      {error && (
        <div role="alert">
          <p>{error.message}</p>
          <p>{error.remedy}</p>
        </div>
      )}
    </section>
  )
}
