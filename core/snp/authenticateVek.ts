import { sha256 } from '@noble/hashes/sha2'
import { concatBytes, toHex, type UnixSeconds } from '../bytes/index.js'
import { ServiceError, withCodeAsync } from '../errors/index.js'
import {
  checkValidity,
  createVerifiedCache,
  decodeCertificateFile,
  importKey,
  parseCertificate,
  verifyChain,
  verifyRoot,
  type Certificate,
} from '../x509/index.js'
import type { SnpEvidence } from './types.js'
import { readVekExtensions } from './readVekExtensions.js'

/** A signing certificate whose chain leads to the root. */
export interface AuthenticVek {
  root: Certificate
  intermediate: Certificate
  vek: Certificate
  kind: 'VCEK' | 'VLEK'
  extensions: ReturnType<typeof readVekExtensions>
  key: CryptoKey
}

const chains = createVerifiedCache<AuthenticVek>(64)

/** Verifies ARK, ASK or ASVK, and VCEK or VLEK as far as it does not depend on the time. Cached by hash. */
export async function authenticateVek(evidence: Omit<SnpEvidence, 'report'>): Promise<AuthenticVek> {
  const vekDer = decodeCertificateFile(evidence.vek)
  const intermediateDer = decodeCertificateFile(evidence.intermediate)
  const rootFile: unknown = evidence.root
  const rootHash = rootFile instanceof Uint8Array && rootFile.length <= 65536 ? sha256(rootFile) : new Uint8Array(0)
  const id = toHex(concatBytes(sha256(vekDer), sha256(intermediateDer), rootHash))
  const known = chains.get(id)
  if (known) return known

  const root = await verifyRoot(rootFile)
  const certificates = [vekDer, intermediateDer].map((der) => parseCertificate(Uint8Array.from(der))) // copies, since they are cached
  const links = await verifyChain(certificates, root, 'vek_chain')
  const [vek, intermediate] = links
  if (!vek || !intermediate || links.length !== 2) {
    throw new ServiceError('vek_chain', 'the intermediate certificate is the root itself')
  }
  if (vek.isCa) throw new ServiceError('vek_chain', 'the signing certificate is a CA')
  if (vek.publicKey.kind !== 'P-384') throw new ServiceError('vek_chain', 'the signing key is not on P-384')
  const kind = kindOf(vek, intermediate)
  const extensions = readVekExtensions(vek, kind)
  const key = await withCodeAsync('vek_chain', 'the signing key is not a point on P-384', () =>
    importKey(vek.publicKey),
  )
  const result = { root, intermediate, vek, kind, extensions, key }
  chains.set(id, result)
  return result
}

/** AMD names them: `SEV-VCEK` below `SEV-Milan`, `SEV-VLEK` below `SEV-VLEK-Milan`. A mix of the two is refused. */
function kindOf(vek: Certificate, intermediate: Certificate): 'VCEK' | 'VLEK' {
  const kind = vek.commonName === 'SEV-VCEK' ? 'VCEK' : vek.commonName === 'SEV-VLEK' ? 'VLEK' : undefined
  const issues = intermediate.commonName.includes('VLEK') ? 'VLEK' : 'VCEK'
  if (kind !== issues) {
    throw new ServiceError('vek_chain', 'the certificate is not of the kind its issuer signs', {
      subject: vek.commonName,
      issuer: intermediate.commonName,
    })
  }
  return kind
}

const codes = { early: 'vek_not_yet_valid', late: 'vek_expired' } as const

export function checkVekTime(authentic: AuthenticVek, now: UnixSeconds): void {
  for (const certificate of [authentic.vek, authentic.intermediate, authentic.root]) {
    checkValidity(certificate, now, codes)
  }
}
