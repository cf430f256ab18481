import { expect, test } from 'vitest'
import { visibleText } from './visibleText.js'

test.each([
  ['plain ascii, ümlaut, 漢字, שלום, 🚀', 'plain ascii, ümlaut, 漢字, שלום, 🚀'],
  ['turned \u202earound\u2069', 'turned \\u202earound\\u2069'],
  ['a\u200db\u00adc\ufeff', 'a\\u200db\\u00adc\\ufeff'],
  ['tags \u{e0041}', 'tags \\udb40\\udc41'],
  ['filler \u3164', 'filler \\u3164'],
  ['half a pair \ud83d', 'half a pair \\ud83d'],
  ['bell \u0007, line \n', 'bell \\u0007, line \\u000a'],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

test('lines are kept on request', () => {
  expect(visibleText('a\nb\r\n', { keepLines: true })).toBe('a\nb\\u000d\n')
})
