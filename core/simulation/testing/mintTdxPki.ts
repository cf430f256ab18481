import { fromHex, type Hex, type UnixSeconds } from '../../index.js'
import { simulatedPlatform, type TdxQuoteKeys } from '../index.js'
import { encodePem } from '../../x509/testing/encodePem.js'
import { boolean, enumerated, integer, octetString, oid, sequence } from './der.js'
import { mintCertificate, type CertificateToMint } from './mintCertificate.js'
import { ecdsaSigner, ecPublicKey } from './signers.js'

/** All P-256 scalars of a simulated TDX PKI. */
export interface TdxPrivateKeys {
  root: Hex
  pckCa: Hex
  pck: Hex
  tcbSigner: Hex
  attestation: Hex
}

/** Stands in for Intel: it signs collateral. */
export interface TdxAuthority {
  /** DER. */
  root: Uint8Array
  /** PEM. */
  pckCaChain: string
  tcbSignerChain: string
  keys: TdxPrivateKeys
}

export const tdxNames = {
  root: 'Simulated SGX Root CA',
  pckCa: 'Simulated SGX PCK Platform CA',
  pck: 'Simulated SGX PCK Certificate',
  tcbSigner: 'Simulated SGX TCB Signing',
} as const

export const tdxSerials = { root: 0x1001, pckCa: 0x1002, pck: 0x1003, tcbSigner: 0x1004 } as const

/** Changes to one certificate of the chain: how tests make a chain that is wrong in exactly one place. */
export type TdxSpoil = Partial<Record<keyof typeof tdxNames, Partial<CertificateToMint> & { signWith?: Hex }>>

/** Root, PCK CA, PCK certificate and TCB signer in Intel's shapes and roles, with the given keys and validity. */
export async function mintTdxPki(
  keys: TdxPrivateKeys,
  validity: { notBefore: UnixSeconds; notAfter: UnixSeconds },
  spoil: TdxSpoil = {},
): Promise<{ authority: TdxAuthority; quoteKeys: TdxQuoteKeys }> {
  const mint = (who: keyof typeof tdxNames, issuer: 'root' | 'pckCa', key: Hex, rest: Partial<CertificateToMint>) => {
    const { signWith, ...changes } = spoil[who] ?? {}
    const spec = {
      serial: tdxSerials[who],
      subject: tdxNames[who],
      issuer: tdxNames[issuer],
      publicKey: ecPublicKey(key),
      role: 'leaf' as const,
      ...validity,
      ...rest,
      ...changes,
    }
    return mintCertificate(spec, ecdsaSigner(signWith ?? (issuer === 'root' ? keys.root : keys.pckCa)))
  }
  const root = await mint('root', 'root', keys.root, { role: 'ca', pathLength: 1 })
  const pckCa = await mint('pckCa', 'root', keys.pckCa, { role: 'ca', pathLength: 0 })
  const pck = await mint('pck', 'pckCa', keys.pck, { extensions: [{ oid: sgxOid, value: pckExtension() }] })
  const tcbSigner = await mint('tcbSigner', 'root', keys.tcbSigner, {})
  return {
    authority: {
      root,
      pckCaChain: encodePem(pckCa) + encodePem(root),
      tcbSignerChain: encodePem(tcbSigner) + encodePem(root),
      keys,
    },
    quoteKeys: {
      pckPrivateKey: keys.pck,
      attestationPrivateKey: keys.attestation,
      pckChain: encodePem(pck) + encodePem(pckCa) + encodePem(root),
    },
  }
}

export const sgxOid = '1.2.840.113741.1.13.1'

/** The SGX extension of a PCK certificate (Intel SGX PCK Certificate Profile, section 1.3). */
export function pckExtension(changes: Partial<{ fmspc: Hex; pceId: Hex; components: number[]; pceSvn: number }> = {}) {
  const { fmspc, pceId, ppid, components, pceSvn } = { ...simulatedPlatform, ...changes }
  const item = (suffix: string, value: Uint8Array) => sequence(oid(`${sgxOid}.${suffix}`), value)
  const tcb = components.map((svn, i) => item(`2.${i + 1}`, integer(svn)))
  return sequence(
    item('1', octetString(fromHex(ppid, 16))),
    item('2', sequence(...tcb, item('2.17', integer(pceSvn)), item('2.18', octetString(Uint8Array.from(components))))),
    item('3', octetString(fromHex(pceId, 2))),
    item('4', octetString(fromHex(fmspc, 6))),
    item('5', enumerated(1)),
    item('6', octetString(new Uint8Array(16))),
    item('7', sequence(...[1, 2, 3].map((part) => item(`7.${part}`, boolean(true))))),
  )
}
