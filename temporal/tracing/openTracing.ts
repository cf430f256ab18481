import type { Span } from '@opentelemetry/api'
import { keepPublic } from './keepPublic.js'
import type { RequestSpan, Tracing, TracingConfig } from './Tracing.js'

/**
 * Traces from an HTTP request through client, workflow and activities, sent by OTLP over HTTP. The libraries are loaded
 * here and not before: a program without an endpoint pays nothing. Once a process, because OpenTelemetry is global.
 */
export async function openTracing({ endpoint }: TracingConfig, service: string): Promise<Tracing> {
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

  const requestSpan = (span: Span): RequestSpan => ({
    traceId: span.spanContext().traceId,
    end({ method, route, status, requestId, code }) {
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
    clientInterceptors: [new client.OpenTelemetryWorkflowClientInterceptor({ tracer })],
    activityInterceptor: (context) => ({
      inbound: new worker.OpenTelemetryActivityInboundInterceptor(context, { tracer }),
      outbound: new worker.OpenTelemetryActivityOutboundInterceptor(context),
    }),
    sinks: { exporter: worker.makeWorkflowExporter(processor, resource) },
    request: (work) =>
      tracer.startActiveSpan('request', { root: true, kind: otel.SpanKind.SERVER }, (span) => work(requestSpan(span))),
    async close() {
      await provider.shutdown().catch(() => undefined) // a collector that is down must not hold up a shutdown
      otel.trace.disable()
      otel.context.disable()
      otel.propagation.disable()
    },
  }
}
