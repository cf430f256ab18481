import { fromHex, type Hex } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import type { SnpReportKeys, TdxQuoteKeys } from './types.js'

/** Keys of the simulated TDX platform from parsed JSON. Throws `parse_failed`, never naming a value. */
export function parseTdxQuoteKeys(value: unknown): TdxQuoteKeys {
  const { pckPrivateKey, attestationPrivateKey, pckChain } = record(value)
  if (typeof pckChain !== 'string') fail()
  return { pckPrivateKey: hex(pckPrivateKey, 32), attestationPrivateKey: hex(attestationPrivateKey, 32), pckChain }
}

/** Keys of the simulated SNP chip from parsed JSON. Throws `parse_failed`, never naming a value. */
export function parseSnpReportKeys(value: unknown): SnpReportKeys {
  const { vekPrivateKey, chipId, tcb } = record(value)
  const { bootloader, tee, snp, microcode } = record(tcb)
  return {
    vekPrivateKey: hex(vekPrivateKey, 48),
    chipId: hex(chipId, 64),
    tcb: { bootloader: level(bootloader), tee: level(tee), snp: level(snp), microcode: level(microcode) },
  }
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) fail()
  return value as Record<string, unknown>
}

function hex(value: unknown, length: number): Hex {
  fromHex(value, length)
  return value as Hex
}

function level(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255) fail()
  return value
}

function fail(): never {
  throw new ServiceError('parse_failed', 'the simulated platform’s key file is malformed; create it again (dev/pki)')
}
