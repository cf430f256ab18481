import { expect, test } from 'vitest'
import { pathFor } from './pathFor.js'

const cid = `bafkrei${'a2'.repeat(26)}`
const hash = `0x${'Ab'.repeat(32)}`
const wallet = `0x${'Cd'.repeat(20)}`

test.each([
  ['kJ3x_9-aaaaaaaaaaaaaaaa', '/p/kJ3x_9-aaaaaaaaaaaaaaaa'],
  ['  https://perigee.example/p/kJ3x?from=mail#top ', '/p/kJ3x'],
  [cid, `/r/${cid}`],
  [`https://ipfs.io/ipfs/${cid}`, `/r/${cid}`],
  [hash, `/t/${hash.toLowerCase()}`],
  [`https://sepolia.etherscan.io/tx/${hash}`, `/t/${hash.toLowerCase()}`],
  [wallet, `/w/${wallet.toLowerCase()}`],
])('%s is found at %s', (text, path) => {
  expect(pathFor(text)).toBe(path)
})

test.each(['', '  ', '/', '0x1234', `${hash}00`, 'two words', '<script>', '💥'])('%j is nothing we know', (text) => {
  expect(pathFor(text)).toBeNull()
})
