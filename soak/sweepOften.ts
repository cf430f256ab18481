import { Client, Connection } from '@temporalio/client'
import { repairScheduleId } from '../temporal/index.js'
import type { SoakStack } from './startSoakStack.js'

/** As an operator may: the sweep that looks for vanished blocks runs more often than every five minutes. */
export async function sweepOften({ stack }: Pick<SoakStack, 'stack'>, seconds: number): Promise<void> {
  const { temporalAddress, namespace } = stack.file
  const connection = await Connection.connect({ address: temporalAddress })
  try {
    const schedule = new Client({ connection, namespace }).schedule.getHandle(repairScheduleId)
    await schedule.update((before) => ({ ...before, spec: { intervals: [{ every: `${seconds}s` }] } }))
  } finally {
    await connection.close()
  }
}
