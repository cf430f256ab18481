import type { Connection } from '@temporalio/client'
import { searchAttributeTypes } from '@perigee/core/workflow'

/** Numbers of Temporal's IndexedValueType. */
const indexedValueTypes = { Keyword: 2, Int: 3 } as const

/**
 * Registers the search attributes that are missing. A server that does not let us (Temporal Cloud wants its own tool)
 * is left to the operator: RUNBOOK.md lists them. Returns the names that are still missing.
 */
export async function ensureSearchAttributes(
  { operatorService }: Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<string[]> {
  const missing = async () => {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    return Object.entries(searchAttributeTypes).filter(([name]) => !Object.hasOwn(customAttributes ?? {}, name))
  }
  const wanted = await missing()
  if (wanted.length === 0) return []
  try {
    await operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(wanted.map(([name, type]) => [name, indexedValueTypes[type]])),
    })
  } catch {
    // Another worker may have been faster; what counts is what is there now.
  }
  return (await missing()).map(([name]) => name)
}
