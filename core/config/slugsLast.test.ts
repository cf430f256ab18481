import { parseArgs } from 'node:util'
import { expect, test } from 'vitest'
import { slugsLast } from './slugsLast.js'

const parse = (...words: string[]) =>
  parseArgs({ args: slugsLast(words), options: { reason: { type: 'string' } }, allowPositionals: true })

test.each(['-AeCgu6h_LxudEMUbJ0pQMtc', '--eCgu6h_LxudEMUbJ0pQMtc', 'AeCgu6h_LxudEMUbJ0pQMtc-'])(
  'the slug %s is no option, wherever it stands',
  (slug) => {
    for (const words of [
      ['retry', slug, '--reason', 'x'],
      ['retry', '--reason', 'x', slug],
      ['--reason', 'x', 'retry', '--', slug],
    ]) {
      expect(parse(...words)).toMatchObject({ positionals: ['retry', slug], values: { reason: 'x' } })
    }
  },
)

test('anything but a slug stays an option, known or not', () => {
  expect(slugsLast(['--reason', '-x', '--save-bundle', 'f'])).toEqual(['--reason', '-x', '--save-bundle', 'f'])
  expect(() => parse('--no-such-option')).toThrow()
  expect(() => parse('--reason', '-AeCgu6h_LxudEMUbJ0pQMtc')).toThrow()
})
