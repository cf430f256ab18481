// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { parseEther } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { InMemoryService } from '../testing/index.js'
import { startPage, type Page } from './testing/startPage.js'

const to = '0x00000000000000000000000000000000000000aa'
let page: Page
let service: InMemoryService
beforeEach(async () => {
  page = await startPage()
  service = page.service
})
afterEach(() => page.close())

test('rejects with wallet_not_ready while there is no wallet', async () => {
  const { result } = await page.render()
  await act(async () => {
    await expect(result.current.signAndSend({ to })).rejects.toThrow(/^wallet_not_ready$/)
  })
  expect(result.current.error?.code).toBe('wallet_not_ready')
  expect(result.current.pending).toBe(false)
})

test('is pending until the result, which it returns and keeps', async () => {
  await page.signIn()
  const { result } = await page.render()
  service.setBalance(result.current.wallet?.address ?? '', parseEther('1'))
  let run: ReturnType<typeof result.current.signAndSend> | undefined
  act(() => {
    run = result.current.signAndSend({ to, value: '0.25' })
  })
  expect(result.current.pending).toBe(true)
  const returned = await act(async () => await run)
  expect(result.current).toMatchObject({ pending: false, error: null, lastResult: returned })
  expect(service.balance(to)).toBe(parseEther('0.25'))
})

test('sets error on rejection, clears it on the next call, and keeps the last result', async () => {
  await page.signIn()
  const { result } = await page.render()
  const address = result.current.wallet?.address ?? ''
  await act(async () => {
    await expect(result.current.signAndSend({ to, value: 1n })).rejects.toMatchObject({ code: 'insufficient_funds' })
  })
  expect(result.current.error?.code).toBe('insufficient_funds')
  service.setBalance(address, parseEther('1'))
  await act(async () => void (await result.current.signAndSend({ to, value: 2n })))
  expect(result.current.error).toBeNull()
  const { lastResult } = result.current
  await act(async () => {
    await expect(result.current.signAndSend({ to: '0x' })).rejects.toThrow()
  })
  expect(result.current.lastResult).toBe(lastResult)
})

test('sees a wallet that came after the last render', async () => {
  const { result } = await page.render()
  await page.signIn()
  const { refresh, signAndSend } = result.current
  await act(async () => {
    await refresh()
    await expect(signAndSend({ to })).rejects.toMatchObject({ code: 'insufficient_funds' })
  })
  expect(service.requests.filter((line) => line === 'POST /sign/digest')).toHaveLength(1)
})
