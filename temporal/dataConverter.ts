import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'
import type { CodecKey } from './codec/codecKeys.js'
import { EncryptionCodec } from './codec/EncryptionCodec.js'

export const failureConverterPath = fileURLToPath(new URL('./failureConverter.cjs', import.meta.url))

/** Clients and workers must use the same one, or they cannot read each other. */
export function createDataConverter(keys: readonly CodecKey[]): DataConverter {
  return { payloadCodecs: [new EncryptionCodec(keys)], failureConverterPath }
}
