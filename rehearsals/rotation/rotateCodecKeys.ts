import { randomBytes } from 'node:crypto'
import { withTemporal } from '../../soak/withTemporal.js'
import type { Rig } from '../rig/openRig.js'
import { secretsOf } from '../rig/publishers.js'

/** Twice around: every process must know the new key before one encrypts with it. */
export async function rotateCodecKeys(rig: Rig): Promise<void> {
  const [old, fresh] = [`local:${secretsOf(rig).codecKey}`, `next:${randomBytes(32).toString('hex')}`]
  const pass = async (keys: string) => {
    for (const kind of ['codec', 'worker', 'api'] as const) await rig.roll(kind, { TEMPORAL_CODEC_KEYS: keys })
  }
  await rig.step('codec keys: everything learns the new one', () => pass(`${old},${fresh}`))
  await rig.step('codec keys: everything encrypts with the new one', () => pass(`${fresh},${old}`))
  const since = new Date().toISOString()
  await rig.pause(5)
  const ids = await keysOfInputs(rig, since)
  rig.require(ids.join() === 'next', `inputs are encrypted under ${ids.join() || 'nothing'}`)
  rig.evidence.codecKeys = `${fresh},${old}`
}

/** The keys under which the inputs of new signing runs are encrypted. */
const keysOfInputs = ({ stack }: Rig, since: string): Promise<string[]> =>
  withTemporal(stack.file, async ({ workflow }) => {
    const ids = new Set<string>()
    const query = `WorkflowType='signDigest' AND StartTime > '${since}'`
    for await (const { workflowId, runId } of workflow.list({ query, pageSize: 20 })) {
      const { events } = await workflow.getHandle(workflowId, runId).fetchHistory()
      const payloads = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? []
      for (const { metadata } of payloads) ids.add(Buffer.from(metadata?.['encryption-key-id'] ?? []).toString())
    }
    return [...ids]
  })
