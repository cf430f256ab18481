import { expect, test } from 'vitest'
import { authorisedWords } from './authorisedWords.js'

const statement = {} as never
const passkey = { clientDataJSON: '{"origin":"https://app.test"}', since: 'creation' }
const owned = { level: 'passkey-verified', statement, passkey: passkey as never } as const

test('says who authorised and how that was checked, in one sentence', () => {
  const words = authorisedWords(owned, true)
  expect(words).toBe(
    'The holder of a passkey on https://app.test approved exactly this transaction; the enclave checked the passkey’s signature before it signed, and your browser has now checked it again.',
  )
  expect(authorisedWords({ level: 'coordinator-attested', statement, passkey: null }, true)).toMatch(
    /^The service’s attested coordinator asked for it in the name of the signed-in user, without a passkey; [^.]+ again\.$/,
  )
})

test('claims no check of the browser before there was one', () => {
  expect(authorisedWords(owned, false)).not.toContain('browser')
})

test('says why an upgraded wallet is weaker, and survives nonsense', () => {
  const upgraded = { ...owned, passkey: { ...passkey, since: 'upgrade' } as never }
  expect(authorisedWords(upgraded, true)).toContain('got one later')
  for (const clientDataJSON of ['', 'null', '{}', '{"origin":1}']) {
    const words = authorisedWords({ ...owned, passkey: { ...passkey, clientDataJSON } as never }, false)
    expect(words).toContain('on an unknown page')
  }
})
