import { ServiceError } from '@perigee/core'

// GHCB specification (AMD 56421), "SNP Extended Guest Request": GUIDs are stored in the order of their text.
const guids = {
  vcek: '63da758de6644564adc5f4b93be8accd',
  vlek: 'a8074bc2a25a483eaae639c045a0b8a1',
  ask: '4ab7b379bbac4fe4a02f05aef327c782',
  ark: 'c0b406a4a803495297433fb6014cd0ae',
} as const
const entrySize = 24
const terminator = '0'.repeat(32)

type CertificateTable = Partial<Record<keyof typeof guids, Uint8Array>>

/**
 * Parses the aux blob: entries of GUID, offset and length (little-endian), an all-zero entry last. The host wrote it, so
 * nothing here is trusted: offsets are bounded, and the certificates must verify up to the configured root.
 */
export function parseCertificateTable(blob: Uint8Array): CertificateTable {
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.length)
  const table: CertificateTable = {}
  for (let at = 0; at + entrySize <= bytes.length; at += entrySize) {
    const guid = bytes.toString('hex', at, at + 16)
    if (guid === terminator) return table
    const offset = bytes.readUInt32LE(at + 16)
    const length = bytes.readUInt32LE(at + 20)
    if (length === 0 || offset + length > bytes.length) {
      throw new ServiceError('parse_failed', 'the certificate table points outside the aux blob')
    }
    const name = (Object.keys(guids) as (keyof typeof guids)[]).find((key) => guids[key] === guid)
    if (name) table[name] = Uint8Array.from(bytes.subarray(offset, offset + length))
  }
  if (bytes.length === 0) return table // the host supplies no certificates
  throw new ServiceError('parse_failed', 'the certificate table has no end')
}
