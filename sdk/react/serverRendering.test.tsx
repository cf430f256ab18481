import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ServiceProvider } from './ServiceProvider.js'
import { useAttestation } from './useAttestation.js'
import { useSign } from './useSign.js'
import { useWallet } from './useWallet.js'

function Page() {
  const { user, wallet, ready } = useWallet()
  const { pending } = useSign()
  const { proof } = useAttestation('some-slug')
  return <p>{JSON.stringify({ user, wallet, ready, pending, proof })}</p>
}

// No DOM here: a reference to window or a request during rendering would fail.
test('renders on a server to the state before the first look-up', () => {
  expect(typeof window).toBe('undefined')
  const html = renderToString(
    <ServiceProvider config={{ apiBaseUrl: 'http://localhost:1', chainId: 11155111 }}>
      <Page />
    </ServiceProvider>,
  )
  const text = html.replaceAll('&quot;', '"')
  expect(text).toBe('<p>{"user":null,"wallet":null,"ready":false,"pending":false,"proof":null}</p>')
})
