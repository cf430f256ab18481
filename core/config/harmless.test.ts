import { expect, test } from 'vitest'
import { harmless, harmlessJson } from './harmless.js'

const hostile = 'a\u001b[2J\n\u009b31m\u202eb\u2028c\u200bd\u007f\u061c\ufeff'
const moves = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

test('a line of text that strangers wrote stays one line, and moves no cursor', () => {
  expect(harmless(hostile)).toBe('a?[2J??31m?b?c?d???')
})

test('as JSON nothing that moves a cursor is printed, and nothing is lost', () => {
  const text = harmlessJson({ [hostile]: hostile })
  expect(text).not.toMatch(moves)
  expect(text.split('\n')).toHaveLength(3)
  expect(JSON.parse(text)).toEqual({ [hostile]: hostile })
})
