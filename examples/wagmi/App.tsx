import { parseEther } from 'viem'
import {
  useConnect,
  useConnection,
  useConnectors,
  useDisconnect,
  useSendTransaction,
  useSignMessage,
  useSignTypedData,
} from 'wagmi'
import { order } from './order.js'

const to = '0x00000000000000000000000000000000000000aa'

export function App() {
  const { address, status } = useConnection()
  const { mutate: disconnect } = useDisconnect()
  if (status === 'reconnecting') return <p>Loading…</p>
  if (!address) return <Connect />
  return (
    <main>
      <h1>Connected</h1>
      <p>{address}</p>
      <Signing />
      <button onClick={() => disconnect({})}>Disconnect</button>
    </main>
  )
}

function Connect() {
  const connectors = useConnectors()
  const { mutate: connect, isPending } = useConnect()
  return connectors.map((connector) => (
    <button key={connector.uid} disabled={isPending} onClick={() => connect({ connector })}>
      Connect with {connector.name}
    </button>
  ))
}

function Signing() {
  const message = useSignMessage()
  const typedData = useSignTypedData()
  const transaction = useSendTransaction()
  const all = [message, typedData, transaction]
  const pending = all.some(({ isPending }) => isPending)
  const start = (run: () => void) => () => {
    for (const { reset } of all) reset()
    run()
  }
  const result = all.find(({ data }) => data)?.data
  const error = all.find(({ error }) => error)?.error
  return (
    <>
      <button disabled={pending} onClick={start(() => message.mutate({ message: 'Hello from wagmi' }))}>
        Sign a message
      </button>
      <button disabled={pending} onClick={start(() => typedData.mutate(order))}>
        Sign typed data
      </button>
      <button disabled={pending} onClick={start(() => transaction.mutate({ to, value: parseEther('0.01') }))}>
        Send 0.01 ETH
      </button>
      {pending && <p role="status">Waiting for the wallet…</p>}
      {error && <p role="alert">{'shortMessage' in error ? error.shortMessage : error.message}</p>}
      <p>
        Result: <output>{result ?? 'nothing yet'}</output>
      </p>
    </>
  )
}
