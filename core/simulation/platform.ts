import { sha256, sha384 } from '@noble/hashes/sha2'
import { toHex, type Hex } from '../bytes/index.js'
import { replayRtmr3, type KeyProvider, type RuntimeEvent } from '../measurements/runtimeEvents.js'

/** A name's SHA-384: recognisable, stable measurements for builds that no hardware measured. */
export function simulatedDigest(name: string): Hex {
  return toHex(sha384(new TextEncoder().encode(`perigee simulated ${name}`)))
}

/** The simulated TDX platform: what its certificate, its collateral and its quotes agree on. */
export const simulatedPlatform = {
  fmspc: '0x00de50000000',
  pceId: '0x0000',
  ppid: '0x73696d756c6174656420706c6174666f',
  pceSvn: 13,
  components: [3, 3, 2, 2, 4, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0],
  /** TDX module version 1 with SVN 5, SEAM loader 3. */
  teeTcbSvn: '0x05010300000000000000000000000000',
  qe: {
    mrSigner: '0xdc9e2a7c6f948f17474e34a7fc43ed030f7c1563f1babddf6340c82e0e54a8c5',
    isvProdId: 2,
    isvSvn: 4,
    attributes: '0x15000000000000000000000000000000',
    miscSelect: '0x00000000',
  },
} as const

const simulatedBytes = (name: string, length: number): Hex =>
  toHex(sha256(new TextEncoder().encode(`perigee simulated ${name}`)).subarray(0, length))

/** The application that a simulated machine boots, and who supplies its keys. */
export const simulatedApp = {
  composeHash: simulatedBytes('app-compose', 32),
  appId: simulatedBytes('app id', 20),
  keyProvider: { name: 'simulated' as const, id: simulatedBytes('key provider', 32) },
}

/** What dstack's guest measures into RTMR3 for an application, in its order and spelling. */
export function bootLog(app: { composeHash: Hex; appId: Hex; keyProvider: KeyProvider }): RuntimeEvent[] {
  const provider = JSON.stringify({ name: app.keyProvider.name, id: app.keyProvider.id.slice(2) })
  return [
    { event: 'system-preparing', payload: '' },
    { event: 'app-id', payload: app.appId.slice(2) },
    { event: 'compose-hash', payload: app.composeHash.slice(2) },
    { event: 'instance-id', payload: '5e'.repeat(20) },
    { event: 'boot-mr-done', payload: '' },
    { event: 'key-provider', payload: toHex(new TextEncoder().encode(provider)).slice(2) },
    { event: 'system-ready', payload: '' },
  ]
}

/** What a simulated machine measures while it starts. */
export const simulatedBootLog = bootLog(simulatedApp)

/** Default measurements of simulated quotes and reports, for the policies of a simulated stack. */
export const simulatedMeasurements = {
  mrTd: simulatedDigest('MRTD'),
  rtmr0: simulatedDigest('RTMR0'),
  rtmr1: simulatedDigest('RTMR1'),
  rtmr2: simulatedDigest('RTMR2'),
  rtmr3: replayRtmr3(simulatedBootLog),
  snpMeasurement: simulatedDigest('SNP launch'),
  snpHostData: simulatedBytes('host data', 32),
} as const
