import type { Client } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'
import type { Express } from 'express'
import { listen } from '../servers/listen.js'

type HistoryEvent = temporal.api.history.v1.IHistoryEvent
type Payload = temporal.api.common.v1.IPayload

export async function eventsOfRun(client: Client, workflowId: string): Promise<HistoryEvent[]> {
  return (await client.workflow.getHandle(workflowId).fetchHistory()).events ?? []
}

/** Local activities leave markers, whose details name them in the clear. */
export function localActivities(events: readonly HistoryEvent[]): string[] {
  return events.flatMap((event) => {
    const data = event.markerRecordedEventAttributes?.details?.['data']?.payloads?.[0]?.data
    return data ? [(JSON.parse(new TextDecoder().decode(data)) as { activity_type: string }).activity_type] : []
  })
}

/** Everything that these runs leave at the server: as it is, and as an operator sees it through the codec server. */
export async function readableIn(client: Client, workflowIds: readonly string[], codecApp: Express) {
  const events = (await Promise.all(workflowIds.map((id) => eventsOfRun(client, id)))).flat()
  const payloads = events.flatMap(payloadsIn)
  const { url, close } = await listen(codecApp)
  const answer = await fetch(`${url}/decode`, {
    method: 'POST',
    body: JSON.stringify({ payloads: payloads.map(toJson) }),
  })
  const decoded = (await answer.json()) as { payloads: { data?: string }[] }
  await close()
  if (answer.status !== 200) throw new Error(`the codec server answered ${answer.status}`)
  return {
    raw: payloads.map(({ metadata, data }) => [...Object.values(metadata ?? {}), data].map(latin).join(' ')).join('\n') + textIn(events), // prettier-ignore
    decoded: decoded.payloads.map(({ data }) => Buffer.from(data ?? '', 'base64').toString('latin1')).join('\n'),
  }
}

const latin = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('latin1')
const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64')

function toJson({ metadata, data }: Payload) {
  const names = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)])
  return { metadata: Object.fromEntries(names) as Record<string, string>, data: base64(data) }
}

/** Every object with metadata and data, wherever it is. */
function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  if ('data' in value && 'metadata' in value && (value as Payload).data instanceof Uint8Array) return [value as Payload]
  return Object.values(value).flatMap(payloadsIn)
}

/** What is no payload: names, ids, texts. */
const textIn = (events: readonly HistoryEvent[]) =>
  JSON.stringify(events, (_, value: unknown) => (value instanceof Uint8Array ? latin(value) : value))
