import ts from 'typescript'
import { expect, test } from 'vitest'
import { inlineTypes } from './inlineTypes.js'

function inline(text: string): string {
  const options = { lib: ['lib.es5.d.ts'], types: [] }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (file, target) =>
    file === 'types.ts' ? ts.createSourceFile(file, text, target) : read(file, target)
  return inlineTypes(ts.createProgram(['types.ts'], options, host), 'types.ts', (file) => file === 'types.ts')
}
const kinds = "const kinds = ['a', 'b'] as const\n"

test('writes out an alias that leans on a value, and the types that name it', () => {
  const text = inline(`${kinds}type Kind = (typeof kinds)[number]\nexport interface Thing { kind: Kind }`)
  expect(text).toContain('export type Kind = "a" | "b"')
  expect(text).toContain('export interface Thing { kind: Kind }')
  expect(text).not.toContain('typeof')
})

test('leaves the type of a global as it is', () => {
  expect(inline('export interface Config { parse: typeof parseInt }')).toContain('typeof parseInt')
})

test.each([
  ['an interface', 'export interface Thing { kind: (typeof kinds)[number] }'],
  ['an alias that stays the type of a value', 'export type Thing = { kinds: typeof one }; class one { static a = 1 }'],
])('refuses %s, because the package does not have the value', (_, text) => {
  expect(() => inline(kinds + text)).toThrow(/Thing has the type of a value/)
})
