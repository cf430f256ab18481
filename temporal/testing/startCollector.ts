import { text } from 'node:stream/consumers'
import { listen } from '../../tests/rigs/servers/listen.js'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  service: string
  attributes: Record<string, unknown>
}

interface OtlpAttribute {
  key: string
  value: Record<string, unknown>
}
interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'service' | 'attributes'> & { attributes: OtlpAttribute[] })[] }[]
  }[]
}

/** A collector that really speaks OTLP over HTTP (JSON), and keeps what it is sent. */
export async function startCollector() {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const { url: endpoint, close } = await listen(async (req, res) => {
    const body = await text(req)
    if (req.method !== 'POST' || req.url !== '/v1/traces') return void res.writeHead(404).end()
    bodies.push(body)
    for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpRequest).resourceSpans) {
      const service = String(plain(resource.attributes)['service.name'])
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, service, attributes: plain(span.attributes) })
      }
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  /** `bodies`: everything that arrived, letter for letter. */
  return { endpoint, spans, bodies, close }
}

function plain(attributes: OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
