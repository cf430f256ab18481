import { DerError, DerReader, readOid, tag } from './der.js'

const commonName = '2.5.4.3'

/** The one common name in a Name; empty when there is none. Two common names are refused as ambiguous. */
export function readCommonName(name: Uint8Array): string {
  const names: string[] = []
  const rdns = new DerReader(name).enter(tag.sequence)
  while (!rdns.done) {
    const set = rdns.enter(tag.set)
    while (!set.done) {
      const attribute = set.enter(tag.sequence)
      const type = readOid(attribute.read(tag.oid).content)
      const value = attribute.read()
      attribute.finish()
      if (type !== commonName) continue
      if (value.tag !== tag.utf8String && value.tag !== tag.printableString) throw new DerError('odd string type')
      names.push(new TextDecoder('utf-8', { fatal: true }).decode(value.content))
    }
  }
  if (names.length > 1) throw new DerError('two common names')
  return names[0] ?? ''
}
