import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'
import type { CodecKey } from './codec/codecKeys.js'
import { EncryptionCodec } from './codec/EncryptionCodec.js'

export const failureConverterPath = fileURLToPath(new URL('./failureConverter.cjs', import.meta.url))

/** Of a client. What it cannot have sent or been sent is an error. */
export function createDataConverter(keys: readonly CodecKey[]): DataConverter {
  return { payloadCodecs: [new EncryptionCodec(keys, 'throw')], failureConverterPath }
}

/** Of a worker: the same keys and format, and `codec/refuseForeignInput.ts` refuses what it marks. */
export function createWorkerDataConverter(keys: readonly CodecKey[]): DataConverter {
  return { payloadCodecs: [new EncryptionCodec(keys, 'mark')], failureConverterPath }
}
