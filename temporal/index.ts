export { EncryptionCodec } from './codec/EncryptionCodec.js'
export { parseCodecKeys } from './codec/codecKeys.js'
export { checkTemporal, TemporalProblem } from './checkTemporal.js'
export {
  connectionOptions,
  parseTemporalConfig,
  parseTemporalPlace,
  parseTracingConfig,
  type TemporalConfig,
  type TemporalPlace,
} from './config.js'
export {
  createTemporalClient,
  signTimeoutMs,
  temporalClientOn,
  type TemporalClient,
} from './client/createTemporalClient.js'
export { createDataConverter, createWorkerDataConverter } from './dataConverter.js'
export { taskQueues, workflowIds, workflowTypes } from '@perigee/core/workflow'
export { anchorScheduleId, ensureSchedules, repairScheduleId, retentionScheduleId } from './ensureSchedules.js'
export { prepareNamespace } from './prepareNamespace.js'
export { readRun, type RunRecord } from './client/readRun.js'
export { restartPublishing } from './client/restartPublishing.js'
export { startDelivery } from './client/startDelivery.js'
export { toServiceError } from './client/toServiceError.js'
export { openTracing, type Tracing } from './tracing/openTracing.js'
