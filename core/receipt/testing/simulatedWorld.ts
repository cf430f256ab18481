import { ed25519 } from '@noble/curves/ed25519'
import { canonicalJson, cidOf, fromHex, toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import { satelliteSignedBytes, type EntropyKey, type EntropySample } from '../../entropy/index.js'
import {
  ecdsaSigner,
  ecPublicKey,
  mintCertificate,
  mintCollateral,
  mintCrl,
  mintTdxPki,
  vekCertificate,
  type CollateralToMint,
} from '../../simulation/testing/index.js'
import type { SnpReportKeys } from '../../simulation/index.js'
import type { TrustAnchors } from '../anchors/TrustAnchors.js'
import { releaseTrust } from './simulatedReleases.js'

const scalar = (byte: string, bytes = 32): Hex => `0x${byte.repeat(bytes)}`

/** The moment at which samples are signed unless another is given: 2026-11-15T00:00:00Z. */
export const signedAt: UnixSeconds = 1_794_700_800
const day = 86_400
const validityAround = (at: UnixSeconds) => ({ notBefore: at - 30 * day, notAfter: at + 365 * day })

/** Development roots, keys and collateral, made without files, the same every time for the same moment. */
export type SimulatedWorld = Awaited<ReturnType<typeof makeWorld>>

const worlds = new Map<UnixSeconds, Promise<SimulatedWorld>>()

/** Made once per process, because it is the same for every test. */
export function createSimulatedWorld(at: UnixSeconds = signedAt): Promise<SimulatedWorld> {
  const world = worlds.get(at) ?? makeWorld(at)
  worlds.set(at, world)
  return world
}

async function makeWorld(at: UnixSeconds) {
  const tdxKeys = {
    root: scalar('01'),
    pckCa: scalar('02'),
    pck: scalar('03'),
    tcbSigner: scalar('04'),
    attestation: scalar('05'),
  }
  const { authority, quoteKeys } = await mintTdxPki(tdxKeys, validityAround(at))
  /** Collateral that the vendor issued then. */
  const collateralOf = async (issuedAt: UnixSeconds, changes: Partial<CollateralToMint> = {}) => {
    const collateral = await mintCollateral({ issuedAt, nextUpdate: issuedAt + 21 * day, ...changes }, authority)
    return new TextEncoder().encode(canonicalJson(collateral))
  }
  const collateralBytes = await collateralOf(at - day)
  return {
    signedAt: at,
    quoteKeys,
    tdxRoot: toHex(authority.root),
    collateralOf,
    collateralBytes,
    collateralCid: cidOf(collateralBytes),
    snp: await createSnp(at),
  }
}

/** A simulated chip and its chain under a development root. */
export async function createSnp(
  at: UnixSeconds,
  [rootKey, askKey]: readonly [Hex, Hex] = [scalar('08'), scalar('09')],
) {
  const validity = validityAround(at)
  const reportKeys: SnpReportKeys = {
    vekPrivateKey: scalar('06', 48),
    chipId: scalar('07', 64),
    tcb: { bootloader: 4, tee: 0, snp: 23, microcode: 213 },
  }
  const names = { root: 'ARK-Milan', ask: 'SEV-Milan' }
  const ca = { role: 'ca' as const, ...validity }
  const signer = ecdsaSigner(rootKey)
  const root = { serial: 1, subject: names.root, issuer: names.root, publicKey: ecPublicKey(rootKey), ...ca }
  const crl = { issuer: names.root, issuerPublicKey: root.publicKey, thisUpdate: at - day, nextUpdate: at + 365 * day }
  const ask = { serial: 2, subject: names.ask, issuer: names.root, publicKey: ecPublicKey(askKey), ...ca }
  return {
    reportKeys,
    root: toHex(await mintCertificate(root, signer)),
    /** AMD's list of revoked certificates. */
    crl: toHex(await mintCrl(crl, signer)),
    /** The list of a later day, on which AMD revoked these serials. */
    revoking: async (revokedSerials: number[], thisUpdate = at) =>
      toHex(await mintCrl({ ...crl, thisUpdate, revokedSerials }, signer)),
    intermediate: toHex(await mintCertificate(ask, signer)),
    vek: toHex(await mintCertificate(vekCertificate(reportKeys, names.ask, validity), ecdsaSigner(askKey))),
  }
}

/** A simulated satellite: its key as trust anchors name it, and samples that it truly signs. */
export function createSatellite(privateKey: Uint8Array, keyId: string) {
  const source = 'simulated-satellite'
  const key: EntropyKey = {
    source,
    algorithm: 'ed25519',
    publicKey: toHex(ed25519.getPublicKey(privateKey)),
    signedBytes: 'perigee-satellite/1',
    shows: 'simulated',
    validFrom: 0,
    validTo: null,
  }
  return {
    keys: { [keyId]: key },
    sample(value: Hex, producedAt: UnixSeconds, sequence: string, receivedAt = producedAt): EntropySample {
      const signed = ed25519.sign(satelliteSignedBytes(value, producedAt, sequence), privateKey)
      const signature = { algorithm: 'ed25519', keyId, value: toHex(signed) } as const
      const provenance = 'simulated'
      return { version: 1, source, provenance, value, producedAt, receivedAt, sequence, signature, beacon: null }
    },
  }
}

const satellite = createSatellite(fromHex(scalar('0a')), 'sim-1')

/** A sample that the simulated satellite truly signed. */
export const sampleEntropy = (
  sequence = '42',
  producedAt = signedAt - 5,
  value: Hex = `0x${'ab12'.repeat(16)}`,
): EntropySample => satellite.sample(value, producedAt, sequence, producedAt + 1)

/** Anchors that trust exactly this world, and say that it is simulated. */
export function anchorsOf(world: SimulatedWorld): TrustAnchors {
  return {
    version: 'perigee-trust/1',
    simulated: true,
    tdxRoot: world.tdxRoot,
    snpRoots: [world.snp.root],
    releases: releaseTrust,
    enclave: {},
    coordinator: { vmpl: 0 },
    entropy: { minimum: 'simulated', freshnessSeconds: 600, keys: satellite.keys, beacons: {} },
    contracts: [{ chainId: 31337, address: `0x${'f0'.repeat(20)}` }],
  }
}
