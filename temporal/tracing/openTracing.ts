import type { Span } from '@opentelemetry/api'
import type { Context as ActivityContext } from '@temporalio/activity'
import { keepPublic } from './keepPublic.js'

export interface TracingConfig {
  /** Base address of an OpenTelemetry collector that speaks OTLP over HTTP. */
  endpoint: string
}

interface FinishedRequest {
  method: string
  route: string
  status: number
  requestId: string
  code?: string
}

/**
 * Traces from an HTTP request through client, workflow and activities, sent by OTLP over HTTP. The libraries are loaded
 * here and not before: a program without an endpoint pays nothing. Once a process, because OpenTelemetry is global.
 */
export async function openTracing({ endpoint }: TracingConfig, service: string) {
  const [otel, sdk, { Resource }, { AsyncLocalStorageContextManager }, { OTLPTraceExporter }, client, worker] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@temporalio/interceptors-opentelemetry/lib/client/index.js'),
      import('@temporalio/interceptors-opentelemetry/lib/worker/index.js'),
    ])
  const resource = new Resource({ 'service.name': service })
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const processor = keepPublic(new sdk.BatchSpanProcessor(exporter))
  const provider = new sdk.BasicTracerProvider({ resource, spanProcessors: [processor] })
  provider.register({ contextManager: new AsyncLocalStorageContextManager() })
  const tracer = provider.getTracer('perigee')

  const requestSpan = (span: Span) => ({
    traceId: span.spanContext().traceId,
    end({ method, route, status, requestId, code }: FinishedRequest): void {
      span.updateName(`${method} ${route}`)
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'perigee.request_id': requestId,
        ...(code && { 'perigee.code': code }),
      })
      if (status >= 500) span.setStatus({ code: otel.SpanStatusCode.ERROR })
      span.end()
    },
  })

  return {
    /** For Temporal clients: the trace goes along with what they start. */
    clientInterceptors: [new client.OpenTelemetryWorkflowClientInterceptor({ tracer })],
    /** For workers; goes outside of what translates errors, so that it sees only words that we chose. */
    activityInterceptor: (context: ActivityContext) => ({
      inbound: new worker.OpenTelemetryActivityInboundInterceptor(context, { tracer }),
      outbound: new worker.OpenTelemetryActivityOutboundInterceptor(context),
    }),
    /** For workers: spans of workflows leave the sandbox through this. Their bundle must be the traced one. */
    sinks: { exporter: worker.makeWorkflowExporter(processor, resource) },
    /** Runs `work` as the root of a new trace. What callers say about traces is not believed. */
    request: <T>(work: (span: ReturnType<typeof requestSpan>) => T): T =>
      tracer.startActiveSpan('request', { root: true, kind: otel.SpanKind.SERVER }, (span) => work(requestSpan(span))),
    /** Sends what is left, and stops. */
    async close(): Promise<void> {
      await provider.shutdown().catch(() => undefined) // a collector that is down must not hold up a shutdown
      otel.trace.disable()
      otel.context.disable()
      otel.propagation.disable()
    },
  }
}

/** What programs need to take part in traces. It exists only where an endpoint is configured. */
export type Tracing = Awaited<ReturnType<typeof openTracing>>
