import { parseStrictJson, type UnixSeconds } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { advisoriesOf, arrayOf, hexOf, integerOf, memberOf, objectOf, timeOf } from './fields.js'

const qeStatuses = ['UpToDate', 'ConfigurationNeeded', 'OutOfDate', 'OutOfDateConfigurationNeeded', 'Revoked'] as const

export interface QeLevel {
  isvSvn: number
  status: (typeof qeStatuses)[number]
  tcbDate: UnixSeconds
  advisoryIds: string[]
}

export interface QeIdentity {
  issueDate: UnixSeconds
  nextUpdate: UnixSeconds
  tcbEvaluationDataNumber: number
  miscSelect: Uint8Array
  miscSelectMask: Uint8Array
  attributes: Uint8Array
  attributesMask: Uint8Array
  mrSigner: Uint8Array
  isvProdId: number
  /** Highest first. */
  levels: QeLevel[]
}

/** Parses the text of the TD quoting enclave's identity, version 2. Check the text's signature first. */
export function parseQeIdentity(text: string): QeIdentity {
  const identity = objectOf(parseStrictJson(text), 'enclaveIdentity')
  if (identity['id'] !== 'TD_QE' || identity['version'] !== 2) {
    throw new ServiceError('qe_identity', 'the enclave identity is not version 2 of the TD quoting enclave’s')
  }
  const levels = arrayOf(identity['tcbLevels'], 'tcbLevels', 256).map((item): QeLevel => {
    const level = objectOf(item, 'tcbLevels[]')
    return {
      isvSvn: integerOf(objectOf(level['tcb'], 'tcb')['isvsvn'], 'isvsvn', 0xffff),
      status: memberOf(level['tcbStatus'], 'tcbStatus', qeStatuses),
      tcbDate: timeOf(level['tcbDate'], 'tcbDate'),
      advisoryIds: advisoriesOf(level['advisoryIDs'], 'advisoryIDs'),
    }
  })
  return {
    issueDate: timeOf(identity['issueDate'], 'issueDate'),
    nextUpdate: timeOf(identity['nextUpdate'], 'nextUpdate'),
    tcbEvaluationDataNumber: integerOf(identity['tcbEvaluationDataNumber'], 'tcbEvaluationDataNumber', 0xffffffff),
    miscSelect: hexOf(identity['miscselect'], 'miscselect', 4),
    miscSelectMask: hexOf(identity['miscselectMask'], 'miscselectMask', 4),
    attributes: hexOf(identity['attributes'], 'attributes', 16),
    attributesMask: hexOf(identity['attributesMask'], 'attributesMask', 16),
    mrSigner: hexOf(identity['mrsigner'], 'mrsigner', 32),
    isvProdId: integerOf(identity['isvprodid'], 'isvprodid', 0xffff),
    levels: levels.sort((a, b) => b.isvSvn - a.isvSvn),
  }
}
