import { useAttestation, useSign, useSignMessage, useSignTypedData, useWallet } from '@perigee/sdk'
import { order } from './order.js'

export function App() {
  const { user, wallet, ready, login, logout } = useWallet()
  if (!ready) return <p>Loading…</p>
  if (!user) return <button onClick={login}>Sign in</button>
  if (!wallet) return <p>Making your wallet…</p>
  return (
    <main>
      <h1>Wallet of {user.email}</h1>
      <p>{wallet.address}</p>
      <Signing />
      <button onClick={() => void logout()}>Sign out</button>
    </main>
  )
}

function Signing() {
  const message = useSignMessage()
  const typedData = useSignTypedData()
  const transaction = useSign()
  const pending = message.pending || typedData.pending || transaction.pending
  const error = message.error ?? typedData.error ?? transaction.error
  const run = (work: () => Promise<unknown>) => () => void work().catch(() => undefined) // the hook has the error
  const send = () => transaction.signAndSend({ to: '0x00000000000000000000000000000000000000aa', value: '0.01' })
  return (
    <>
      <button disabled={pending} onClick={run(() => message.signMessage('Hello from React'))}>
        Sign a message
      </button>
      <button disabled={pending} onClick={run(() => typedData.signTypedData(order))}>
        Sign typed data
      </button>
      <button disabled={pending} onClick={run(send)}>
        Send 0.01 ETH
      </button>
      {pending && <p role="status">Signing…</p>}
      {error && (
        <p role="alert">
          {error.message} {error.remedy}
        </p>
      )}
      <Proof title="Message" slug={message.lastResult?.slug} />
      <Proof title="Typed data" slug={typedData.lastResult?.slug} />
      <Proof title="Transaction" slug={transaction.lastResult?.attestationSlug} />
    </>
  )
}

function Proof({ title, slug }: { title: string; slug: string | undefined }) {
  const { proof } = useAttestation(slug)
  return (
    <p>
      {title}: {slug ? `signed, proof ${proof?.status ?? 'on its way'}` : 'nothing yet'}
    </p>
  )
}
