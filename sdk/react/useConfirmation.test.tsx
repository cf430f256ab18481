// @vitest-environment happy-dom
import { act, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceClient } from '../client/ServiceClient.js'
import { startPage, type Page } from './testing/startPage.js'
import { useConfirmation, type Confirmation } from './useConfirmation.js'
import { useService } from './useService.js'

let page: Page
let client: ServiceClient
let shown: Record<string, Confirmation | null>
beforeEach(async () => {
  page = await startPage()
  shown = {}
  await page.signIn()
})
afterEach(() => page.close())

function Dialog({ name }: { name: string }) {
  shown[name] = useConfirmation()
  return null
}
function App({ dialogs }: { dialogs: string[] }) {
  client = useService().client
  return dialogs.map((name) => <Dialog key={name} name={name} />)
}

/** An application that shows these dialogs, and then others. */
async function open(...dialogs: string[]) {
  const { rerender } = render(<App dialogs={dialogs} />, { wrapper: page.strictWrapper })
  await client.api.provisionWallet()
  return (...next: string[]) => rerender(<App dialogs={next} />)
}

test.each([
  ['the older leaves first', ['b']],
  ['the newer leaves first', ['a']],
])('when two components overlap and %s, the other one is asked; without any, nobody is', async (_, left) => {
  const show = await open('a')
  show('a', 'b') // a page enters while the one before it still animates out
  show(...left)
  const [name = ''] = left
  let signed: Promise<unknown> | undefined
  act(() => {
    signed = client.signMessage('hello')
  })
  await waitFor(() => expect(shown[name]?.view).toMatchObject({ text: 'hello' }))
  await act(async () => {
    shown[name]?.approve()
    await signed
  })
  show()
  expect(client.confirm).toBeUndefined()
})

test('three leave in any order, and the application’s own confirm is back', async () => {
  const show = await open()
  const own = () => true
  client.confirm = own
  show('a', 'b', 'c')
  show('a', 'c')
  show('c')
  show()
  expect(client.confirm).toBe(own)
})

test('a confirm that the application has set meanwhile stays', async () => {
  const show = await open('a')
  const own = () => true
  client.confirm = own
  show()
  expect(client.confirm).toBe(own)
})
