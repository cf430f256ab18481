import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError, type Connection } from '@temporalio/client'
import { searchAttributeTypes } from '@perigee/core/workflow'

/** Numbers of Temporal's IndexedValueType. */
const indexedValueTypes = { Keyword: 2, Int: 3 } as const
/** grpc.status */
export const grpcStatus = { notFound: 5, alreadyExists: 6, permissionDenied: 7, unauthenticated: 16 } as const

const visibleWithinMs = 30_000

/** The search attributes that this namespace lacks. */
export async function missingSearchAttributes(
  { operatorService }: Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<(keyof typeof searchAttributeTypes)[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
  const names = Object.keys(searchAttributeTypes) as (keyof typeof searchAttributeTypes)[]
  return names.filter((name) => !Object.hasOwn(customAttributes ?? {}, name))
}

/**
 * Creates the namespace and its search attributes, unless they exist, and waits until every process of the server knows
 * them. An operator's work: API and workers need no right to do this.
 */
export async function prepareNamespace(
  connection: Pick<Connection, 'operatorService' | 'workflowService'>,
  namespace: string,
  retentionDays: number,
): Promise<void> {
  const workflowExecutionRetentionPeriod = { seconds: (retentionDays * 86_400) as never }
  try {
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod })
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== grpcStatus.alreadyExists) throw error
  }
  const deadline = Date.now() + visibleWithinMs
  for (;;) {
    try {
      const missing = await missingSearchAttributes(connection, namespace)
      if (missing.length === 0) return
      const searchAttributes = Object.fromEntries(
        missing.map((name) => [name, indexedValueTypes[searchAttributeTypes[name]]]),
      )
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
    } catch (error) {
      if (Date.now() > deadline) throw error // until then the namespace may be too new for some process
    }
    await sleep(50)
  }
}
