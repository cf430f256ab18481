import { z } from 'zod'
import { parseSchema, ServiceError } from '../../errors/index.js'
import { hexBytes, readHead, svnLevels, whole, window } from './fields.js'

/** Named as Intel names its members. */
const identitySchema = z.object({
  ...window,
  miscselect: hexBytes(4),
  miscselectMask: hexBytes(4),
  attributes: hexBytes(16),
  attributesMask: hexBytes(16),
  mrsigner: hexBytes(32),
  isvprodid: whole(0xffff),
  tcbLevels: svnLevels,
})
export type QeIdentity = z.output<typeof identitySchema>
export type QeLevel = QeIdentity['tcbLevels'][number]

/** Parses the text of the TD quoting enclave's identity, version 2. Check the text's signature first. */
export function parseQeIdentity(text: string): QeIdentity {
  const { value, id, version } = readHead(text, 'enclaveIdentity')
  if (id !== 'TD_QE' || version !== 2) {
    throw new ServiceError('qe_identity', 'the enclave identity is not version 2 of the TD quoting enclave’s')
  }
  return parseSchema(identitySchema, value, 'parse_failed', 'enclaveIdentity')
}
