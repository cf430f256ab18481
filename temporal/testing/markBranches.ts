import ts from 'typescript'

/** Runs only when a new request is made, never in a replay: `operatorDesk.system.test.ts` covers it. */
const neverReplayed = new Set(['validator'])

const shortCircuits = ['&&', '||', '??', '&&=', '||=', '??=']

/**
 * Adds a call of `__hit` to every branch of a source file. Returns the new code and the branches, as `file: line [kind]`.
 * Marked are:
 * - both sides of `if` and `?:`, every `case` and `catch`, and a function given to `.catch()`;
 * - the first pass of a loop, the second, and none (`skipped`) where the condition comes first;
 * - the right side of `&&`, `||`, `??` and their assignments, where it calls, awaits or assigns something.
 *
 * Not marked are other right sides, `?.` and default values: they choose a value, and take no step by themselves.
 */
export function markBranches(file: string, text: string): { code: string; branches: string[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
  const branches: string[] = []
  const insertions: { at: number; text: string }[] = []
  const insert = (at: number, text: string) => void insertions.push({ at, text })

  const hit = (node: ts.Node, kind: string): string => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    const name = `${file}: ${text.split('\n')[line]?.trim() ?? ''} [${kind}]`
    branches.push(name)
    return `__hit(${JSON.stringify(name)})`
  }
  const wrap = (node: ts.Node, before: string, after: string) => {
    insert(node.getStart(source), before)
    visit(node)
    insert(node.end, after)
  }
  const markStatement = (node: ts.Statement, kind: string) => wrap(node, `{ ${hit(node, kind)}; `, ' }')
  const markExpression = (node: ts.Expression, kind: string) => wrap(node, `(${hit(node, kind)}, `, ')')

  const markLoop = (loop: ts.IterationStatement) => {
    const skipped = canBeSkipped(loop) ? ` if (__passes === 0) ${hit(loop, 'skipped')}` : ''
    insert(loop.getStart(source), '{ let __passes = 0; ')
    ts.forEachChild(loop, (child) => {
      if (child !== loop.statement) return visit(child)
      wrap(child, `{ __passes++ === 0 ? ${hit(loop, 'loop')} : ${hit(loop, 'again')}; `, ' }')
    })
    insert(loop.end, `;${skipped} }`)
  }

  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && neverReplayed.has(node.name.getText(source))) return
    if (ts.isIterationStatement(node, false)) return markLoop(node)
    if (ts.isIfStatement(node)) {
      visit(node.expression)
      markStatement(node.thenStatement, 'if')
      if (node.elseStatement) markStatement(node.elseStatement, 'else')
      else insert(node.end, ` else { ${hit(node, 'else')} }`)
    } else if (ts.isConditionalExpression(node)) {
      visit(node.condition)
      markExpression(node.whenTrue, '?')
      markExpression(node.whenFalse, ':')
    } else if (ts.isCatchClause(node)) {
      insert(node.block.getStart(source) + 1, ` ${hit(node.block, 'catch')};`)
      visit(node.block)
    } else if (ts.isCaseOrDefaultClause(node)) {
      insert(node.statements.pos, ` ${hit(node, 'case')};`)
      visitChildren(node)
    } else if (isCatchCallback(node)) {
      if (!ts.isBlock(node.body)) return markExpression(node.body, '.catch')
      insert(node.body.getStart(source) + 1, ` ${hit(node, '.catch')};`)
      visit(node.body)
    } else if (isShortCircuit(node) && (node.operatorToken.getText(source).endsWith('=') || takesStep(node.right))) {
      visit(node.left)
      markExpression(node.right, node.operatorToken.getText(source))
    } else {
      visitChildren(node)
    }
  }
  const visitChildren = (node: ts.Node): void => ts.forEachChild(node, visit)

  visitChildren(source)
  return { code: applyInsertions(text, insertions), branches }
}

/** Insertions at one place stay in their order: an outer node was opened before an inner one, and is closed after it. */
function applyInsertions(text: string, insertions: readonly { at: number; text: string }[]): string {
  let code = ''
  let copied = 0
  for (const insertion of insertions.toSorted((a, b) => a.at - b.at)) {
    code += text.slice(copied, insertion.at) + insertion.text
    copied = insertion.at
  }
  return code + text.slice(copied)
}

/** `for (;;)` and `do` always make a first pass. */
function canBeSkipped(loop: ts.IterationStatement): boolean {
  return !ts.isDoStatement(loop) && !(ts.isForStatement(loop) && !loop.condition)
}

function isCatchCallback(node: ts.Node): node is ts.ArrowFunction {
  if (!ts.isArrowFunction(node) || !ts.isCallExpression(node.parent)) return false
  const called = node.parent.expression
  return ts.isPropertyAccessExpression(called) && called.name.text === 'catch'
}

function isShortCircuit(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && shortCircuits.includes(node.operatorToken.getText())
}

function takesStep(node: ts.Node): boolean {
  if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isAwaitExpression(node)) return true
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return true
  return ts.forEachChild(node, takesStep) ?? false
}

function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment
}
