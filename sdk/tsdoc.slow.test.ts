import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

// What an editor shows when the pointer rests on a name.
test('every export of every entry point is documented, one sentence first', async () => {
  const manifest = JSON.parse(await readFile(join(import.meta.dirname, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  const entries = Object.values(manifest.exports).filter((file) => file.endsWith('.ts'))
  const options = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    jsx: ts.JsxEmit.ReactJSX,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  // Comments need our own files only; without viem's types this takes a second.
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) =>
      /^(?:\.|@perigee\/)/.test(text)
        ? ts.resolveModuleName(text, file, options, host, undefined, undefined, ts.ModuleKind.ESNext)
        : { resolvedModule: undefined },
    )
  const files = entries.map((file) => join(import.meta.dirname, file))
  const program = ts.createProgram(files, options, host)
  const checker = program.getTypeChecker()
  const undocumented: string[] = []
  let count = 0
  for (const entry of entries) {
    const source = program.getSourceFile(join(import.meta.dirname, entry))
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${entry} has no exports`)
    for (const symbol of checker.getExportsOfModule(module)) {
      count++
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const words = ts.displayPartsToString(target.getDocumentationComment(checker))
      if (!/^[A-Z`][^.]*[.:]/.test(words)) undocumented.push(`${entry}: ${symbol.name}`)
    }
  }
  expect(count).toBeGreaterThan(30)
  expect(undocumented).toEqual([])
})
