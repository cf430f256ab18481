import { useWallet } from '@perigee/sdk'
import { SearchField } from '../components/SearchField.js'

/** What a visitor sees before signing in. */
export function Welcome() {
  const { login } = useWallet()
  return (
    <>
      <section className="hero">
        <h1>A wallet you do not have to take on trust</h1>
        <p className="lead">
          Your key is made inside a hardware enclave and never leaves it. Every signature comes with a public receipt
          that anyone can check, without trusting us.
        </p>
        <button type="button" className="button primary large" onClick={login}>
          Sign in
        </button>
      </section>
      <ol className="list reasons">
        <li>
          <h2>Sign in</h2>
          <p>Make a wallet with a passkey: its key is created in the enclave and signs only with your approval.</p>
        </li>
        <li>
          <h2>Send</h2>
          <p>The enclave reads the transaction itself, signs exactly that, and its hardware vouches for it.</p>
        </li>
        <li>
          <h2>Prove</h2>
          <p>The receipt goes to IPFS and its address to the chain. Verify it in your own browser.</p>
        </li>
      </ol>
      <SearchField />
    </>
  )
}
