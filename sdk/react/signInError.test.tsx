// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startPage, type Page } from './testing/startPage.js'

let page: Page
const home = window.location.href
beforeEach(async () => {
  page = await startPage()
})
afterEach(async () => {
  window.history.replaceState(null, '', home)
  await page.close()
})

/** As the service sends a browser back after a sign-in that failed. */
function comeBack(query: string): void {
  window.history.replaceState({ mine: 1 }, '', query)
}

test('a sign-in that failed is the error of the session, with a remedy, and leaves the address', async () => {
  comeBack('/deep?x=1&sign_in_error=sign_in_refused#part')
  const { result } = await page.render(page.strictWrapper) // whose effects run twice
  expect(result.current).toMatchObject({ user: null, ready: true })
  expect(result.current.problem).toMatchObject({
    name: 'ServiceError',
    code: 'sign_in_refused',
    remedy: expect.stringMatching(/^Sign in again/),
    facts: { step: 'sign_in' },
  })
  expect(window.location.href).toBe(new URL('/deep?x=1#part', home).href)
  expect(window.history.state).toEqual({ mine: 1 })
})

test('it is shown beside the wallet of a session that is still there', async () => {
  await page.signIn()
  comeBack('/?sign_in_error=provider_unavailable')
  const { result } = await page.render()
  await waitFor(() => expect(result.current.wallet).not.toBeNull())
  expect(result.current.problem).toMatchObject({ code: 'provider_unavailable' })
})

test('refresh and logout end it, and a failing look-up takes its place', async () => {
  comeBack('/?sign_in_error=sign_in_expired')
  const { result } = await page.render()
  expect(result.current.problem?.code).toBe('sign_in_expired')
  await act(() => result.current.refresh())
  expect(result.current.problem).toBeNull()
  page.service.inject({ path: '/auth/me', problem: { status: 500, code: 'internal_error' } })
  await act(() => result.current.refresh().catch(() => undefined))
  expect(result.current.problem?.code).toBe('internal_error')
})

test.each([
  ['email_not_verified', 'email_not_verified', /^Verify/],
  ['rate_limited', 'rate_limited', /later/],
  ['brand_new_code', 'brand_new_code', /^Sign in again/],
  ['Call 555-0100 <now>', 'sign_in_failed', /^Sign in again/],
  ['constructor', 'constructor', /^Sign in again/],
  ['', 'sign_in_failed', /^Sign in again/],
])('%j is told as %s', async (sent, code, remedy) => {
  comeBack(`/?sign_in_error=${encodeURIComponent(sent)}`)
  const { result } = await page.render()
  expect(result.current.problem).toMatchObject({ code, remedy: expect.stringMatching(remedy) })
})

test('the next sign-in does not bring it back', async () => {
  const { client } = (await page.render()).result.current
  const returnTo = (href: string) => new URL(client.loginUrl(href)).searchParams.get('return_to')
  expect(returnTo('http://a.test/x?sign_in_error=rate_limited&y=%20#z')).toBe('http://a.test/x?y=+#z')
  expect(returnTo('http://a.test/x?sign_in_error=one&sign_in_error=two')).toBe('http://a.test/x')
  expect(returnTo('http://a.test/x?y=%20')).toBe('http://a.test/x?y=%20')
})

test('a client without React can ask for it, once', async () => {
  const { client } = (await page.render()).result.current
  comeBack('/?sign_in_error=sign_in_failed')
  expect(client.takeSignInError()).toMatchObject({ code: 'sign_in_failed' })
  expect(client.takeSignInError()).toBeNull()
})
