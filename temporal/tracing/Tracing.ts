import type { WorkflowClientInterceptor } from '@temporalio/client'
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker'
import type { Sinks } from '@temporalio/workflow'

export interface TracingConfig {
  /** Base address of an OpenTelemetry collector that speaks OTLP over HTTP. */
  endpoint: string
}

/** One request of the API, the root of a trace. */
export interface RequestSpan {
  traceId: string
  end(request: { method: string; route: string; status: number; requestId: string; code?: string }): void
}

/** What programs need to take part in traces. It exists only where an endpoint is configured. */
export interface Tracing {
  /** For Temporal clients: the trace goes along with what they start. */
  clientInterceptors: WorkflowClientInterceptor[]
  /** For workers; goes outside of what translates errors, so that it sees only words that we chose. */
  activityInterceptor: ActivityInterceptorsFactory
  /** For workers: spans of workflows leave the sandbox through this. Their bundle must hold `tracedModules`. */
  sinks: InjectedSinks<Sinks>
  /** Runs `work` as the root of a new trace. What callers say about traces is not believed. */
  request<T>(work: (span: RequestSpan) => T): T
  /** Sends what is left, and stops. */
  close(): Promise<void>
}
