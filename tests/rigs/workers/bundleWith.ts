import { readFile } from 'node:fs/promises'
import { cachedBundle } from '../../../temporal/bundle/cachedBundle.js'

/** Lines of the workflows' budgets, and what to put in their place: tests have seconds where production has minutes. */
export type Budgets = Record<string, string>

/** The production bundle with other budgets: the workflows are started, and run, exactly as they are deployed. */
export async function bundleWith(budgets: Budgets = {}): Promise<{ codePath: string } | { code: string }> {
  const { codePath } = await cachedBundle()
  if (Object.keys(budgets).length === 0) return { codePath }
  let code = await readFile(codePath, 'utf8')
  for (const [line, instead] of Object.entries(budgets)) {
    const parts = code.split(line)
    if (parts.length !== 2) throw new Error(`the workflows' budgets have ${parts.length - 1} times: ${line}`)
    code = parts.join(instead)
  }
  return { code }
}
