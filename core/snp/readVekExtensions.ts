import { ServiceError, withCode } from '../errors/index.js'
import { DerError, readSingle, readSmallInteger, tag, type Certificate } from '../x509/index.js'
import type { SnpProduct, SnpTcb } from './parseSnpReport.js'

const amd = '1.3.6.1.4.1.3704.1'
/** Names on certificates, and the product line whose chain signs them. */
const products: Readonly<Record<string, SnpProduct>> = {
  Milan: 'Milan',
  Genoa: 'Genoa',
  Bergamo: 'Genoa',
  Siena: 'Genoa',
  Turin: 'Turin',
}

/**
 * What AMD certifies about the chip (VCEK) or the cloud provider's key (VLEK), read exactly (VCEK Certificate and KDS
 * Interface Specification, 57230, table 8).
 * A VCEK names a chip and a VLEK a cloud provider; one that names both, or neither, is not what AMD issues.
 */
export function readVekExtensions(certificate: Certificate, kind: 'VCEK' | 'VLEK') {
  return withCode('vek_chain', 'the certificate lacks AMD’s extensions, or they are not well formed', () => {
    const product = productOf(text(certificate, `${amd}.2`))
    const fmc = product === 'Turin' ? { fmc: level(certificate, `${amd}.3.9`) } : {}
    const tcb: SnpTcb = {
      bootloader: level(certificate, `${amd}.3.1`),
      tee: level(certificate, `${amd}.3.2`),
      snp: level(certificate, `${amd}.3.3`),
      microcode: level(certificate, `${amd}.3.8`),
      ...fmc,
    }
    for (const spare of [4, 5, 6, 7]) {
      const oid = `${amd}.3.${spare}`
      if (certificate.extensions.has(oid) && level(certificate, oid) !== 0) throw new DerError('reserved level in use')
    }
    const cspId = certificate.extensions.has(`${amd}.5`) ? text(certificate, `${amd}.5`) : undefined
    const hardwareId = readHardwareId(certificate, product)
    if ((hardwareId !== undefined) !== (kind === 'VCEK')) throw new DerError(`chip id, for a ${kind}`)
    if ((cspId !== undefined) !== (kind === 'VLEK')) throw new DerError(`cloud provider, for a ${kind}`)
    return { product, tcb, hardwareId, cspId }
  })
}

/** `Milan-B0` on a VCEK, `Milan` on a VLEK. */
function productOf(name: string): SnpProduct {
  const line = name.split('-', 1)[0] as string
  const product = Object.hasOwn(products, line) ? products[line] : undefined
  if (!product) throw new ServiceError('product_mismatch', 'the certificate is of an unknown product', { name })
  return product
}

function value(certificate: Certificate, oid: string): Uint8Array {
  const extension = certificate.extensions.get(oid)
  if (!extension) throw new DerError(`extension ${oid} missing`)
  return extension
}

function level(certificate: Certificate, oid: string): number {
  const number = readSmallInteger(readSingle(value(certificate, oid), tag.integer).content)
  if (number > 0xff) throw new DerError(`extension ${oid} too large`)
  return number
}

function text(certificate: Certificate, oid: string): string {
  const { content } = readSingle(value(certificate, oid), tag.ia5String)
  if (content.length > 128) throw new DerError('text too long')
  return String.fromCharCode(...content)
}

/** AMD stores the id as bare bytes; an OCTET STRING around it is accepted too, in case AMD adds one. */
function readHardwareId(certificate: Certificate, product: SnpProduct): Uint8Array | undefined {
  const raw = certificate.extensions.get(`${amd}.4`)
  if (!raw) return undefined
  const length = product === 'Turin' ? 8 : 64
  const id = raw.length === length ? raw : readSingle(raw, tag.octetString).content
  if (id.length !== length) throw new DerError('chip id of another length')
  return id
}
