'use client'
import { useEffect, useState } from 'react'
import { useService } from '@perigee/sdk'
import { getAddress, type Address } from 'viem'
import { createSiweMessage } from 'viem/siwe'

async function call(method: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const answer = (response.status === 204 ? {} : await response.json()) as Record<string, string | null>
  if (!response.ok) throw new Error(answer.error ?? `The shop answered ${response.status}.`)
  return answer
}

/** Sign-in with Ethereum (EIP-4361): the shop's backend learns which account the visitor holds. */
export function SignIn({ address }: { address: Address }) {
  const { client } = useService()
  const [member, setMember] = useState<string | null>(null)
  const [step, setStep] = useState('Asking the shop…')
  const [error, setError] = useState<string | null>(null)

  const run = async (work: () => Promise<void>) => {
    setError(null)
    await work().catch((problem: Error) => setError(problem.message))
    setStep('')
  }
  const look = async () => setMember((await call('GET', '/siwe/session')).address ?? null)
  useEffect(() => void run(look), [])

  const signIn = async (domain: string) => {
    setStep('Waiting for the wallet…')
    const { nonce } = await call('POST', '/siwe/nonce')
    const message = createSiweMessage({
      domain,
      address: getAddress(address),
      statement: 'Sign in to the shop.',
      uri: window.location.origin,
      version: '1',
      chainId: client.chainId,
      nonce: nonce ?? '',
    })
    const { signature } = await client.signMessage(message)
    setStep('Waiting for the shop…')
    setMember((await call('POST', '/siwe/session', { message, signature })).address ?? null)
  }
  const signOut = async () => {
    await call('DELETE', '/siwe/session')
    setMember(null)
  }

  return (
    <>
      <p>{member ? `Signed in as ${member}` : 'You are not signed in to the shop.'}</p>
      {member ? (
        <button onClick={() => void run(signOut)}>Sign out</button>
      ) : (
        <button disabled={step !== ''} onClick={() => void run(() => signIn(window.location.host))}>
          Sign in with Ethereum
        </button>
      )}
      <button disabled={step !== ''} onClick={() => void run(() => signIn('another-shop.example'))}>
        Try with another shop’s name
      </button>
      {step && <p role="status">{step}</p>}
      {error && <p role="alert">{error}</p>}
    </>
  )
}
