import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519'
import { afterAll, expect, test } from 'vitest'
import { readOwnerKey, readReleaseKey } from './listFiles.js'

const folder = mkdtempSync(join(tmpdir(), 'perigee-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))
function write(content: string): string {
  const path = join(folder, 'key')
  writeFileSync(path, content)
  return path
}
const pem = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }) as string

test('the release key is read from PEM and from hex', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
  expect(ed25519.getPublicKey(readReleaseKey(write(pem(privateKey))))).toEqual(raw)
  expect(readReleaseKey(write(`0x${'07'.repeat(32)}\n`))).toEqual(new Uint8Array(32).fill(7))
})

test('another kind of key is refused without showing it', () => {
  const other = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  for (const content of ['', 'secret', `0x${'07'.repeat(31)}`, other]) {
    const refused = expect.objectContaining({ code: 'invalid_request', message: expect.not.stringContaining('secret') as string }) // prettier-ignore
    expect(() => readReleaseKey(write(content))).toThrow(refused)
    expect(() => readOwnerKey(write(content), null)).toThrow(refused)
  }
})

test('the owner’s key comes from a file or the environment', () => {
  const key = `0x${'09'.repeat(32)}`
  expect(readOwnerKey(write(`${key}\n`), null)).toBe(key)
  expect(readOwnerKey(undefined, key)).toBe(key)
  expect(() => readOwnerKey(undefined, null)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  expect(() => readOwnerKey(join(folder, 'none'), key)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})
