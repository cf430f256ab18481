// @vitest-environment happy-dom
import { act, renderHook, waitFor } from '@testing-library/react'
import { recoverMessageAddress, recoverTypedDataAddress } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SignMessageProgress, SignMessageResult } from '../types.js'
import { startPage, type Page } from './testing/startPage.js'
import { useConfirmation } from './useConfirmation.js'
import { useSignMessage } from './useSignMessage.js'
import { useSignTypedData } from './useSignTypedData.js'
import { useWallet } from './useWallet.js'

let page: Page
beforeEach(async () => {
  page = await startPage()
})
afterEach(() => page.close())

/** Signed in, and with a wallet. `confirms`: the page shows what is to be signed. */
async function open(confirms = false) {
  await page.signIn()
  const hooks = () => ({
    wallet: useWallet().wallet,
    message: useSignMessage(),
    typed: useSignTypedData(),
    confirmation: confirms ? useConfirmation() : null,
  })
  const view = renderHook(hooks, { wrapper: page.strictWrapper })
  await waitFor(() => expect(view.result.current.wallet).not.toBeNull(), { timeout: 30_000 })
  return view
}
const requests = () => page.service.requests.filter((line) => line === 'POST /sign/message')
const typedData = {
  domain: { name: 'Test', chainId: 31337 },
  types: { Amount: [{ name: 'wei', type: 'uint256' }] },
  primaryType: 'Amount',
  message: { wei: 5n },
} as const

test('signs a message and typed data; pending, error and lastResult follow the calls', async () => {
  const { result } = await open()
  const address = result.current.wallet?.address
  let run: Promise<SignMessageResult> | undefined
  act(() => {
    run = result.current.message.signMessage('hello')
  })
  expect(result.current.message.pending).toBe(true)
  const { signature } = (await act(async () => await run)) as SignMessageResult
  expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(address)
  expect(result.current.message).toMatchObject({ pending: false, error: null, lastResult: { signature } })
  const typed = await act(() => result.current.typed.signTypedData(typedData))
  expect(await recoverTypedDataAddress({ ...typedData, signature: typed.signature })).toBe(address)
  expect(result.current.typed.lastResult).toBe(typed)
  await act(async () => {
    await expect(result.current.typed.signTypedData('{}')).rejects.toMatchObject({ code: 'typed_data_invalid' })
  })
  expect(result.current.typed).toMatchObject({ error: { code: 'typed_data_invalid' }, lastResult: typed })
})

test('rejects with wallet_not_ready while there is no wallet', async () => {
  const { result } = renderHook(() => useSignMessage(), { wrapper: page.wrapper })
  await act(async () => {
    await expect(result.current.signMessage('hello')).rejects.toThrow(/^wallet_not_ready$/)
  })
  expect(result.current.error?.code).toBe('wallet_not_ready')
})

test('tells its progress, and stops when it is aborted', async () => {
  const { result } = await open()
  const steps: SignMessageProgress['step'][] = []
  const controller = new AbortController()
  const onProgress = ({ step }: SignMessageProgress) => {
    steps.push(step)
    if (steps.length === 4) controller.abort()
  }
  const sign = () => result.current.message.signMessage('hello', { onProgress, signal: controller.signal })
  await act(async () => void (await sign()))
  expect(steps).toEqual(['confirming', 'signing', 'signed'])
  await act(async () => {
    await expect(sign()).rejects.toMatchObject({ code: 'aborted' })
  })
  expect(result.current.message.error?.code).toBe('aborted')
  expect(requests()).toHaveLength(1)
})

test('useConfirmation shows what is to be signed, one after another, and waits for the answers', async () => {
  const { result } = await open(true)
  let first: Promise<SignMessageResult> | undefined
  let second: Promise<SignMessageResult> | undefined
  act(() => {
    first = result.current.message.signMessage('one')
    second = result.current.typed.signTypedData(typedData)
    second.catch(() => undefined)
  })
  await waitFor(() => expect(result.current.confirmation?.view).toMatchObject({ kind: 'message', text: 'one' }))
  expect(requests()).toEqual([])
  await act(async () => {
    result.current.confirmation?.approve()
    await first
  })
  await waitFor(() => expect(result.current.confirmation?.view).toMatchObject({ kind: 'typed-data' }))
  await act(async () => {
    result.current.confirmation?.decline()
    await expect(second).rejects.toMatchObject({ code: 'confirmation_declined' })
  })
  expect(result.current.confirmation).toBeNull()
  expect(requests()).toHaveLength(1)
})

test('what waits is declined when it is aborted, and when the component goes', async () => {
  const { result, unmount } = await open(true)
  const controller = new AbortController()
  const stopped = result.current.message.signMessage('stopped', { signal: controller.signal })
  const left = result.current.message.signMessage('left')
  const outcomes = Promise.allSettled([stopped, left])
  await waitFor(() => expect(result.current.confirmation?.view).toMatchObject({ text: 'stopped' }))
  act(() => controller.abort())
  await waitFor(() => expect(result.current.confirmation?.view).toMatchObject({ text: 'left' }))
  unmount()
  expect(await outcomes).toMatchObject([{ reason: { code: 'aborted' } }, { reason: { code: 'confirmation_declined' } }])
  expect(requests()).toEqual([])
})
