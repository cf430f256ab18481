import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { errorCatalogue, type ErrorCode } from '../../errors/index.js'
import type { QuoteCollateral } from '../collateral/parseQuoteCollateral.js'

/** One adjudicated case of `fixtures/tdx/cases.json` or `fixtures/snp/cases.json`. */
export interface FixtureCase {
  name: string
  nowUnix: number
  expect: { accept: boolean; reason?: string; tcbStatus?: string; advisoryIds?: string[] }
  expectVmpl?: number | null
  [file: string]: unknown
}

const beside = fileURLToPath(new URL('../../../../shared/fixtures', import.meta.url))

/** The folder with real quotes and reports: `FIXTURES_DIR`, or `../shared/fixtures`. They are not in this repository. */
export const fixturesDir = [process.env['FIXTURES_DIR'], beside].find((dir) => dir && existsSync(join(dir, 'tdx')))

export function fixtureCases(kind: 'tdx' | 'snp'): FixtureCase[] {
  if (!fixturesDir) return []
  return JSON.parse(readFileSync(join(fixturesDir, kind, 'cases.json'), 'utf8')) as FixtureCase[]
}

export function fixtureFile(kind: 'tdx' | 'snp', name: unknown): Uint8Array {
  return new Uint8Array(readFileSync(join(fixturesDir as string, kind, name as string)))
}

export function fixtureCollateral(name: unknown): QuoteCollateral {
  return JSON.parse(new TextDecoder().decode(fixtureFile('tdx', name))) as QuoteCollateral
}

/** `collateral-expired` is our `collateral_expired`, and so on; `parse` alone has a longer name here. */
export function codeOf(reason: string): ErrorCode {
  const code = reason === 'parse' ? 'parse_failed' : reason.replaceAll('-', '_')
  if (!Object.hasOwn(errorCatalogue, code)) throw new Error(`fixture reason ${reason} has no code`)
  return code as ErrorCode
}
