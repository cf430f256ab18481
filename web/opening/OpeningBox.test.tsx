// @vitest-environment happy-dom
import { checksumAddress, type Message } from '@perigee/core/message'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { hexOfText, signInText } from '../../core/message/testing/texts.js'
import { permit } from '../../core/message/testing/typedData.js'
import { mintMessage, type MintedMessage } from '../../core/receipt/testing/mintMessage.js'
import { createSimulatedWorld, type SimulatedWorld } from '../../core/receipt/testing/simulatedWorld.js'
import { receiptProof } from '../proof/receiptProof.js'
import type { ShownProof } from '../proof/ShownProof.js'
import { OpeningBox } from './OpeningBox.js'

let world: SimulatedWorld
const asked = vi.fn(() => Promise.reject(new Error('no request expected')))
beforeAll(async () => {
  world = await createSimulatedWorld()
})
beforeEach(() => {
  vi.stubGlobal('fetch', asked)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  expect(asked).not.toHaveBeenCalled()
  expect([localStorage.length, sessionStorage.length, location.search, location.hash]).toEqual([0, 0, '', ''])
})

const text = (words: string): Message => ({ scheme: 'eip191', message: hexOfText(words) })
const shownOf = ({ receipt, evidence }: MintedMessage) => receiptProof(receipt, evidence.cid, evidence.events[0])
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox')

function openBox(verified: ShownProof | null, verify = vi.fn(() => Promise.resolve<ShownProof | null>(null))) {
  render(<OpeningBox verified={verified} verify={verify} />)
  return verify
}
function check(given: unknown): void {
  fireEvent.change(field(), { target: { value: typeof given === 'string' ? given : JSON.stringify(given) } })
  fireEvent.click(screen.getByRole('button', { name: 'Check and show' }))
}
async function opened(message: Message): Promise<HTMLElement> {
  const minted = mintMessage(world, message)
  openBox(shownOf(minted))
  check(minted.opening)
  return find('What was signed')
}
/** The first time, the verifier's code is loaded. */
const patience = { timeout: 20_000 }
const find = (name: string) => screen.findByRole('region', { name }, patience)
const findAlert = () => screen.findByRole('alert', {}, patience)

test('typed data is a tree of every member with its type, and the signature is beside it', async () => {
  const shown = await opened({ scheme: 'eip712', typedData: permit })
  expect(shown.textContent).toContain('Checked by your browser.')
  const tree = screen.getByRole('region', { name: 'The typed data' })
  const lines = [
    'name Permit2',
    'PermitBatch',
    'details (Details[])',
    'amount (uint160) 1000000',
    'memo (string) zwei 🚀',
  ]
  for (const line of [...lines, 'final (bool) false', 'change (int64) -9223372036854775808', 'note (bytes) 0x00ff']) {
    expect(tree.textContent).toContain(line)
  }
  expect(tree.querySelectorAll('ol')).toHaveLength(4) // details, and a grid of two rows
  expect(shown.textContent).toContain('Signature')
})

test('a sign-in message is decoded, and shown word for word', async () => {
  const { receipt } = mintMessage(world, text('any'))
  const words = signInText.replace(/0x\w{40}/, checksumAddress(receipt.message.from))
  const shown = await opened(text(words))
  for (const fact of ['Signs in toservice.example', 'Nonce32891756abc', 'Expires2026-11-17T16:25:24.000Z']) {
    expect(shown.textContent).toContain(fact)
  }
  expect(screen.getByRole('region', { name: 'The sign-in message, word for word' }).textContent).toBe(words)
})

test('hostile text is shown as text, and what would not show is spelled out', async () => {
  const shown = await opened(text('<img src=x onerror=alert(1)>\nPay \u202e001\u2069 to a\u200db'))
  expect(shown.querySelector('img')).toBeNull()
  expect(shown.querySelector('pre')?.textContent).toBe(
    '<img src=x onerror=alert(1)>\nPay \\u202e001\\u2069 to a\\u200db',
  )
})

test('bytes that are no text are shown as bytes', async () => {
  const shown = await opened({ scheme: 'eip191', message: '0x00ff' })
  expect(shown.textContent).toContain('The message, as bytes')
  expect(shown.querySelector('pre')?.textContent).toBe('0x00ff')
})

test('what does not open says why, with its code, and the receipt is not in doubt', async () => {
  const minted = mintMessage(world, text('I agree'))
  const { opening } = minted
  openBox(shownOf(minted))
  for (const [given, code, why] of [
    ['', 'opening_invalid', 'empty'],
    [' \n', 'opening_invalid', 'empty'],
    ['{', 'opening_invalid', 'not valid JSON'],
    ['[]', 'opening_invalid', ''],
    [`{"a":"${'x'.repeat(1024 * 1024)}"}`, 'opening_invalid', 'at most'],
    [JSON.stringify(opening).replace('{', '{"salt":"0x00",'), 'opening_invalid', 'twice'],
    ['['.repeat(40) + ']'.repeat(40), 'opening_invalid', 'deep'],
    [{ ...opening, __proto__: null, note: '<b>x</b>' }, 'opening_invalid', ''],
    [{ ...opening, message: text('I disagree') }, 'opening_mismatch', 'another message'],
    [{ ...opening, signature: `0x${'11'.repeat(64)}1b` }, 'opening_mismatch', 'another signature'],
    [{ ...opening, message: { scheme: 'hash', hash: '0x00' } }, 'message_scheme_unsupported', 'raw hash'],
  ] as const) {
    check(given)
    const alert = await findAlert()
    expect(alert.textContent).toContain(`Code ${code}`)
    expect(alert.textContent).toContain(why)
    expect(field().getAttribute('aria-invalid')).toBe('true')
    expect(screen.queryByRole('region', { name: 'What was signed' })).toBeNull()
  }
  check(opening)
  await find('What was signed')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a receipt that is not verified yet is verified first; one that fails opens nothing', async () => {
  const minted = mintMessage(world, text('I agree'))
  const proof = shownOf(minted)
  const verify = openBox(null)
  check(minted.opening)
  expect((await findAlert()).textContent).toContain('Not opened.')
  verify.mockResolvedValue(proof)
  check(minted.opening)
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Check and show' })).toBeTruthy())
  expect(verify).toHaveBeenCalledTimes(2)
  expect(screen.queryByText('I agree')).toBeNull() // until the page itself says that this is what it verified
})

test('the content goes with the verdict it belongs to, with an edit, and on request', async () => {
  const minted = mintMessage(world, text('I agree'))
  const proof = shownOf(minted)
  const verify = () => Promise.resolve(null)
  const { rerender } = render(<OpeningBox verified={proof} verify={verify} />)
  check(minted.opening)
  await screen.findByText('I agree', {}, patience)
  rerender(<OpeningBox verified={null} verify={verify} />)
  expect(screen.queryByText('I agree')).toBeNull()
  rerender(<OpeningBox verified={proof} verify={verify} />)
  fireEvent.change(field(), { target: { value: 'other' } })
  expect(screen.queryByText('I agree')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Forget it' }))
  expect(field().value).toBe('')
})
