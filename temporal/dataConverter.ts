import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'
import type { CodecKey } from './codec/codecKeys.js'
import { EncryptionCodec } from './codec/EncryptionCodec.js'

export const failureConverterPath = fileURLToPath(new URL('./failureConverter.cjs', import.meta.url))

/** For clients. A foreign payload (see `EncryptionCodec`) is an error. */
export function createDataConverter(keys: readonly CodecKey[]): DataConverter {
  return { payloadCodecs: [new EncryptionCodec(keys, 'throw')], failureConverterPath }
}

/** For workers. A foreign payload is marked, and `codec/refuseForeignInput.ts` refuses it. */
export function createWorkerDataConverter(keys: readonly CodecKey[]): DataConverter {
  return { payloadCodecs: [new EncryptionCodec(keys, 'mark')], failureConverterPath }
}
