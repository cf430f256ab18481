import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base'

/**
 * All that may leave with a span. The libraries add whole workflow descriptions, messages and stack traces; whatever is
 * not named here stays, so that no update of theirs can make a trace tell more.
 */
const publicAttributes = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'perigee.request_id',
  'perigee.code',
  'temporalWorkflowId',
  'temporalActivityId',
  'temporalUpdateId',
  'run_id',
  'exception.type',
])

/** A processor that hands spans on with their public attributes only. */
export function keepPublic(next: SpanProcessor): SpanProcessor {
  return {
    onStart: (span, context) => next.onStart(span, context),
    onEnd: (span) => next.onEnd(publicPart(span)),
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  }
}

function publicPart(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { value: only(span.attributes) },
    events: { value: span.events.map((event) => ({ ...event, attributes: only(event.attributes ?? {}) })) },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan
}

function only<T>(attributes: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => publicAttributes.has(name)))
}
