import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromHex, toHex, type Hex, type TxMetadata } from '@perigee/core'
import { createCoordinator } from '../../core/authorisation/testing/createCoordinator.js'
import { createSatellite as newSatellite, createSnp as mintSnp } from '../../core/receipt/testing/simulatedWorld.js'
import { mintCollateral, mintTdxPki, type CollateralToMint } from '../../core/simulation/testing/index.js'
import { createChannelCertificates, type ChannelFiles } from '../../core/x509/testing/createChannelCertificates.js'
import { createSimulatedRelease } from '../../core/simulation/testing/createSimulatedRelease.js'

export const nowSeconds = () => Math.floor(Date.now() / 1000)
export const randomHex = (length: number): Hex => toHex(randomBytes(length))

/** A simulation folder, channel certificates, a satellite and a coordinator that truly sign. */
export async function createTestWorld() {
  const dir = mkdtempSync(join(tmpdir(), 'perigee-enclave-'))
  const tdx = await createTdx(dir)
  const snp = await createSnp(dir)
  createSimulatedRelease(dir)
  const channel = await createChannelCertificates(join(dir, 'channel'))
  const satellite = createSatellite()
  return {
    dir,
    tdx,
    snp,
    channel,
    satellite,
    coordinator: createCoordinator(snp),
    env: enclaveEnv(dir, channel, satellite.keys, '31337,11155111'),
    tls: clientTls(channel),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** The enclave's variables on the simulated platform. */
export const enclaveEnv = (
  dir: string,
  channel: ChannelFiles,
  satelliteKeys: object,
  chainIds: string,
): Record<string, string> => ({
  NODE_ENV: 'test',
  MOCK_ATTESTATION: 'true',
  SIMULATION_DIR: dir,
  ENCLAVE_PORT: '0',
  ENCLAVE_TLS_CERT: channel.serverCert,
  ENCLAVE_TLS_KEY: channel.serverKey,
  ENCLAVE_TLS_CLIENT_CA: channel.ca,
  ENCLAVE_CHAIN_IDS: chainIds,
  ENTROPY_MINIMUM: 'simulated',
  SATELLITE_PUBLIC_KEYS: JSON.stringify(satelliteKeys),
})

/** What a worker opens the channel with. */
export const clientTls = ({ clientCert, clientKey, ca }: ChannelFiles) => ({
  cert: readFileSync(clientCert),
  key: readFileSync(clientKey),
  ca: readFileSync(ca),
})

export type TestWorld = Awaited<ReturnType<typeof createTestWorld>>

/** The TDX half of `createSimulationPki`, without the seconds that AMD's RSA keys take to make. */
export async function createTdx(dir: string) {
  const key = () => randomHex(32)
  const now = nowSeconds()
  const { authority, quoteKeys } = await mintTdxPki(
    { root: key(), pckCa: key(), pck: key(), tcbSigner: key(), attestation: key() },
    { notBefore: now - 86_400, notAfter: now + 365 * 86_400 },
  )
  const collateral = (changes: Partial<CollateralToMint> = {}) =>
    mintCollateral({ issuedAt: now - 3600, nextUpdate: now + 30 * 86_400, ...changes }, authority)
  mkdirSync(join(dir, 'tdx'), { recursive: true })
  writeFileSync(join(dir, 'tdx', 'root.der'), authority.root)
  writeFileSync(join(dir, 'tdx', 'quote-keys.json'), JSON.stringify(quoteKeys))
  writeFileSync(join(dir, 'tdx', 'collateral.json'), JSON.stringify(await collateral()))
  return { root: authority.root, quoteKeys, collateral }
}

/** The SNP half, on curves for the same reason. */
async function createSnp(dir: string) {
  const snp = await mintSnp(nowSeconds(), [randomHex(32), randomHex(32)])
  mkdirSync(join(dir, 'snp'), { recursive: true })
  writeFileSync(join(dir, 'snp', 'ark.der'), fromHex(snp.root))
  writeFileSync(join(dir, 'snp', 'crl.der'), fromHex(snp.crl))
  return snp
}

/** Signs samples with a key of its own, pinned under `keys`. */
export function createSatellite() {
  const { keys, sample } = newSatellite(randomBytes(32), 'test')
  let sequence = 0
  return { keys, sample: (at = nowSeconds()) => sample(randomHex(32), at, String(++sequence)) }
}

export type Satellite = ReturnType<typeof createSatellite>

let nonce = 0
/** A transaction no other test has. */
export const newTransaction = (changes: Partial<TxMetadata> = {}): TxMetadata => ({
  chainId: 31337,
  nonce: nonce++,
  to: '0x00000000000000000000000000000000000000aa',
  value: '1',
  data: '0x',
  gas: '21000',
  maxFeePerGas: '2000000000',
  maxPriorityFeePerGas: '1000000000',
  ...changes,
})
