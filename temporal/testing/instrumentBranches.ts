import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs only when a new request is made, never in a replay: `operatorDesk.system.test.ts` covers it. */
const neverReplayed = new Set(['validator'])

export interface Instrumented {
  /** Path of the changed workflows, to be bundled. */
  workflowsPath: string
  /** Every branch, as `file: line [side]`. */
  branches: string[]
}

/**
 * Copies the workflows and makes each branch say so when it is taken: both sides of every `if` and `?:`, every `case`,
 * `catch` and loop. A replay of a history then shows which branches it covers.
 */
export async function instrumentBranches(): Promise<Instrumented> {
  const dir = join(root, '.perigee/branches') // inside the project, so that imports are found, and outside node_modules, whose files are not compiled
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true })
  const branches: string[] = []
  for (const file of await readdir(join(root, 'workflows'))) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    const source = ts.createSourceFile(
      file,
      await readFile(join(root, 'workflows', file), 'utf8'),
      ts.ScriptTarget.ES2022,
      true,
    )
    const { transformed } = ts.transform(source, [markBranches(branches)])
    const code = ts.createPrinter().printFile(transformed[0] as ts.SourceFile)
    await writeFile(join(dir, file), `import { hit as __hit } from './__hit.js'\n${code}`)
  }
  await writeFile(join(dir, '__hit.ts'), hitModule)
  return { workflowsPath: join(dir, 'index.ts'), branches }
}

const hitModule = `import { inWorkflowContext, proxySinks, type Sinks } from '@temporalio/workflow'
interface Coverage extends Sinks {
  coverage: { hit(branch: string): void }
}
export function hit(branch: string): true {
  if (inWorkflowContext()) proxySinks<Coverage>().coverage.hit(branch)
  return true
}
`

function markBranches(branches: string[]): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => {
    const { factory } = context
    const mark = (node: ts.Node, kind: string): ts.Expression => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      const name = `${source.fileName}: ${source.text.split('\n')[line]?.trim() ?? ''} [${kind}]`
      branches.push(name)
      return factory.createCallExpression(factory.createIdentifier('__hit'), [], [factory.createStringLiteral(name)])
    }
    const first = (node: ts.Node, kind: string) => factory.createExpressionStatement(mark(node, kind))
    const inBlock = (node: ts.Statement, kind: string): ts.Block => {
      const marked = first(node, kind)
      const visited = ts.visitNode(node, visit) as ts.Statement
      return factory.createBlock([marked, ...(ts.isBlock(visited) ? visited.statements : [visited])], true)
    }
    const inArm = (node: ts.Expression, kind: string): ts.Expression =>
      factory.createParenthesizedExpression(
        factory.createComma(mark(node, kind), ts.visitNode(node, visit) as ts.Expression),
      )
    const visit = (node: ts.Node): ts.Node => {
      if (ts.isVariableDeclaration(node) && neverReplayed.has(node.name.getText(source))) return node
      if (ts.isIfStatement(node)) {
        const otherwise = node.elseStatement
          ? inBlock(node.elseStatement, 'else')
          : factory.createBlock([first(node, 'else')])
        return factory.updateIfStatement(
          node,
          ts.visitNode(node.expression, visit) as ts.Expression,
          inBlock(node.thenStatement, 'if'),
          otherwise,
        )
      }
      if (ts.isConditionalExpression(node)) {
        return factory.updateConditionalExpression(
          node,
          ts.visitNode(node.condition, visit) as ts.Expression,
          node.questionToken,
          inArm(node.whenTrue, '?'),
          node.colonToken,
          inArm(node.whenFalse, ':'),
        )
      }
      if (ts.isCatchClause(node)) {
        return factory.updateCatchClause(node, node.variableDeclaration, inBlock(node.block, 'catch'))
      }
      if (ts.isCaseOrDefaultClause(node)) {
        const statements = [first(node, 'case'), ...ts.visitNodes(node.statements, visit as never)]
        return ts.isCaseClause(node)
          ? factory.updateCaseClause(node, node.expression, statements as ts.Statement[])
          : factory.updateDefaultClause(node, statements as ts.Statement[])
      }
      return ts.visitEachChild(node, visit, context)
    }
    return ts.visitNode(source, visit) as ts.SourceFile
  }
}
