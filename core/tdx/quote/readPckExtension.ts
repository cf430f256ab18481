import { toHex } from '../../bytes/index.js'
import { ServiceError, withCode } from '../../errors/index.js'
import { DerError, DerReader, readOid, readSingle, readSmallInteger, tag, type Certificate } from '../../x509/index.js'

/** What Intel certifies about the platform in a PCK certificate. */
export type PckExtension = ReturnType<typeof readPckExtension>

const sgx = '1.2.840.113741.1.13.1'

/** Reads the SGX extension of a PCK certificate exactly (Intel SGX PCK Certificate Profile, section 1.3). */
export function readPckExtension(certificate: Certificate) {
  const extension = certificate.extensions.get(sgx)
  if (!extension) throw new ServiceError('signer_role', 'the certificate is not a PCK certificate: no SGX extension')
  return withCode('parse_failed', 'the PCK certificate’s SGX extension is not well formed', () => {
    const items = readItems(readSingle(extension, tag.sequence).content)
    const tcb = readItems(need(items, `${sgx}.2`, tag.sequence))
    const components = Array.from({ length: 16 }, (_, i) => {
      const svn = readSmallInteger(need(tcb, `${sgx}.2.${i + 1}`, tag.integer))
      if (svn > 0xff) throw new DerError('SVN too large')
      return svn
    })
    const pceSvn = readSmallInteger(need(tcb, `${sgx}.2.17`, tag.integer))
    if (pceSvn > 0xffff) throw new DerError('PCE SVN too large')
    const instance = items.get(`${sgx}.6`)
    return {
      ppid: toHex(octets(items, `${sgx}.1`, 16)),
      /** The 16 SVNs of the SGX TCB components. */
      components,
      pceSvn,
      pceId: octets(items, `${sgx}.3`, 2),
      fmspc: octets(items, `${sgx}.4`, 6),
      platformInstanceId: instance ? toHex(octets(items, `${sgx}.6`, 16)) : undefined,
    }
  })
}

type Items = Map<string, { tag: number; content: Uint8Array }>

function readItems(content: Uint8Array): Items {
  const list = new DerReader(content)
  const items: Items = new Map()
  while (!list.done) {
    const pair = list.enter(tag.sequence)
    const oid = readOid(pair.read(tag.oid).content)
    const value = pair.read()
    pair.finish()
    if (items.has(oid)) throw new DerError('item twice')
    items.set(oid, value)
  }
  return items
}

function need(items: Items, oid: string, wanted: number): Uint8Array {
  const item = items.get(oid)
  if (item?.tag !== wanted) throw new DerError(`item ${oid} missing`)
  return item.content
}

function octets(items: Items, oid: string, length: number): Uint8Array {
  const content = need(items, oid, tag.octetString)
  if (content.length !== length) throw new DerError(`item ${oid} of another length`)
  return content
}
