import type { Payload } from '@temporalio/common'
import { inParallel } from '../../clients/concurrency/inParallel.js'
import { EncryptionCodec, parseCodecKeys, workflowTypes } from '../../temporal/index.js'
import { withTemporal, type TemporalPlace } from '../withTemporal.js'
import type { Evidence } from './Evidence.js'
import { findLeaks, type Leak, type Needles } from './leaks/findLeaks.js'

const atOnce = 8
const { signDigest, signMessage, publishReceipt, provisionWallet, deliverWebhook } = workflowTypes
/** Each of these workflows must have ended well. */
export const watchedTypes: readonly string[] = [
  signDigest,
  signMessage,
  publishReceipt,
  provisionWallet,
  deliverWebhook,
]

/** How each of our workflows ended, and what no history may hold, with encrypted payloads decrypted. */
export function readTemporal(
  stack: TemporalPlace,
  codecKeys: string,
  needles: Needles,
): Promise<Pick<Evidence, 'workflows' | 'leaks'>> {
  const codec = new EncryptionCodec(parseCodecKeys(codecKeys, (problem) => { throw new Error(problem) }), 'show') // prettier-ignore
  return withTemporal(stack, async ({ workflow }) => {
    const latest = new Map<string, { id: string; type: string; status: string; startedAt: number }>()
    const runs: { workflowId: string; runId: string }[] = []
    for await (const { workflowId, runId, type, status, startTime } of workflow.list({ pageSize: 1000 })) {
      runs.push({ workflowId, runId })
      const before = latest.get(workflowId)
      if (!watchedTypes.includes(type) || (before && before.startedAt > startTime.getTime())) continue
      latest.set(workflowId, { id: workflowId, type, status: status.name, startedAt: startTime.getTime() })
    }
    const leaks: Leak[] = []
    await inParallel(atOnce, runs, async ({ workflowId, runId }) => {
      const { events } = await workflow.getHandle(workflowId, runId).fetchHistory()
      const texts: string[] = []
      await collectText(events, codec, texts)
      leaks.push(...findLeaks(`history of ${workflowId}`, texts.join('\n'), needles))
    })
    const workflows = [...latest.values()].map(({ id, type, status }) => ({ id, type, status }))
    return { workflows, leaks }
  })
}

/** Every string and byte of a message, and its payloads decrypted. */
export async function collectText(value: unknown, codec: EncryptionCodec, into: string[]): Promise<void> {
  if (typeof value === 'string') into.push(value)
  else if (value instanceof Uint8Array) into.push(Buffer.from(value).toString('latin1'))
  else if (Array.isArray(value)) for (const item of value) await collectText(item, codec, into)
  else if (typeof value === 'object' && value !== null) {
    if (isPayload(value)) {
      const [plain] = await codec.decode([value])
      into.push(Buffer.from(plain?.data ?? []).toString('utf8'))
    }
    for (const [key, item] of Object.entries(value)) {
      into.push(key)
      await collectText(item, codec, into)
    }
  }
}

function isPayload(value: object): value is Payload {
  return 'metadata' in value && 'data' in value && value.data instanceof Uint8Array
}
