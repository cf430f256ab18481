import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import type { Client } from '@temporalio/client'
import type { CodecKey } from '../codec/codecKeys.js'
import { EncryptionCodec } from '../codec/EncryptionCodec.js'

/** What a run was asked, and what its local activities answered last. */
export interface RunRecord {
  input: unknown
  /** By the activity's name. */
  steps: ReadonlyMap<string, unknown>
}

const localActivity = 'core_local_activity'

/**
 * Reads a run's history and decodes it. Payloads that are not encrypted, or were made for another workflow, are an error:
 * nobody can write history for us without the codec keys.
 */
export async function readRun(
  client: Client,
  keys: readonly CodecKey[],
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<RunRecord> {
  const codec = new EncryptionCodec(keys, 'throw')
  const decode = async (payload: Payload | null | undefined): Promise<unknown> => {
    if (!payload) return undefined
    const [decoded] = await codec.decode([payload], { workflowId })
    return decoded && defaultPayloadConverter.fromPayload(decoded)
  }
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
  let input: unknown
  const steps = new Map<string, unknown>()
  for (const { workflowExecutionStartedEventAttributes: started, markerRecordedEventAttributes: marker } of events ??
    []) {
    if (started) input = await decode(started.input?.payloads?.[0])
    if (marker?.markerName !== localActivity || marker.failure) continue
    const { data, result } = marker.details ?? {}
    const [about] = data?.payloads ?? []
    // The SDK's own note about the marker; only what the activity answered is encrypted.
    const { activity_type: name } = (about ? defaultPayloadConverter.fromPayload(about) : {}) as {
      activity_type?: string
    }
    if (name !== undefined) steps.set(name, await decode(result?.payloads?.[0]))
  }
  return { input, steps }
}
