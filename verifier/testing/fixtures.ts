import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Real quotes and reports with adjudicated verdicts. They are not part of the repository. */
export const fixturesDir = process.env.FIXTURES_DIR ?? resolve(import.meta.dirname, '../../../shared/fixtures')

interface Case {
  name: string
  nowUnix: number
  root: string
  expect: { accept: boolean; reason?: string; tcbStatus?: string; advisoryIds?: string[] }
  expectVmpl?: number | null
}
export interface TdxCase extends Case {
  quote: string
  collateral: string
}
export interface SnpCase extends Case {
  report: string
  vek: string
  intermediate: string
}

function casesOf<T>(folder: 'tdx' | 'snp'): T[] {
  const file = resolve(fixturesDir, folder, 'cases.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as T[]
  console.warn(`no ${file}: these cases are skipped (set FIXTURES_DIR)`)
  return []
}

export const tdxCases = () => casesOf<TdxCase>('tdx')
export const snpCases = () => casesOf<SnpCase>('snp')

/** The catalogue's code for a fixture's reason: one to one. */
export const codeOf = (reason: string): string => (reason === 'parse' ? 'parse_failed' : reason.replaceAll('-', '_'))

export const quoteArguments = (one: TdxCase): string[] => {
  const at = (path: string) => resolve(fixturesDir, 'tdx', path)
  return ['quote', at(one.quote), '--collateral', at(one.collateral), '--root', at(one.root), '--at', `${one.nowUnix}`]
}

export const snpArguments = (one: SnpCase): string[] => {
  const at = (path: string) => resolve(fixturesDir, 'snp', path)
  const vmpl = typeof one.expectVmpl === 'number' ? ['--vmpl', `${one.expectVmpl}`] : []
  const certificates = ['--vek', at(one.vek), '--intermediate', at(one.intermediate), '--root', at(one.root)]
  return ['snp-report', at(one.report), ...certificates, ...vmpl, '--at', `${one.nowUnix}`]
}
