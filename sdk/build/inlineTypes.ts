import ts from 'typescript'

/**
 * The text of `types.d.ts` with every type of core written out, so that the package needs nothing of this repository.
 * Only interfaces and aliases are copied; an alias that leans on a value is printed as the compiler resolved it.
 */
export function inlineTypes(program: ts.Program, typesFile: string, isOurs: (file: string) => boolean): string {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(typesFile)
  if (!source) throw new Error(`${typesFile} is not part of the program`)
  const parts = new Map<string, string>()

  function copy(symbol: ts.Symbol): void {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const declaration = target.declarations?.find(
      (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
    )
    if (!declaration || !isOurs(declaration.getSourceFile().fileName) || parts.has(target.name)) return
    parts.set(target.name, '') // before its members, because a type may name itself
    let usesValue = false
    const visit = (node: ts.Node): void => {
      if (ts.isTypeQueryNode(node) && isOurValue(node.exprName)) usesValue = true
      const name = ts.isTypeReferenceNode(node)
        ? node.typeName
        : ts.isExpressionWithTypeArguments(node) // after `extends`
          ? node.expression
          : undefined
      const used = name && ts.isIdentifier(name) ? checker.getSymbolAtLocation(name) : undefined
      if (used) copy(used)
      ts.forEachChild(node, visit)
    }
    visit(declaration)
    const text =
      usesValue && ts.isTypeAliasDeclaration(declaration) ? resolved(target) : declaration.getFullText().trim()
    if (usesValue && /\btypeof\b/.test(text)) {
      throw new Error(`${target.name} has the type of a value, which the package does not have: name that type`)
    }
    parts.set(target.name, text)
  }

  /** Not `fetch` and other globals, which every application has. */
  function isOurValue(name: ts.EntityName): boolean {
    const declarations = checker.getSymbolAtLocation(name)?.declarations ?? []
    return declarations.some((node) => isOurs(node.getSourceFile().fileName))
  }

  function resolved(symbol: ts.Symbol): string {
    const flags = ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.NoTruncation
    return `export type ${symbol.name} = ${checker.typeToString(checker.getDeclaredTypeOfSymbol(symbol), undefined, flags)}`
  }

  const module = checker.getSymbolAtLocation(source)
  for (const symbol of module ? checker.getExportsOfModule(module) : []) copy(symbol)
  return [...parts.values()].map((text) => (text.includes('export ') ? text : `export ${text}`)).join('\n\n') + '\n'
}
