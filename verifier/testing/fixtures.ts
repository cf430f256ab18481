import { resolve } from 'node:path'
import { fixtureCases, fixturesDir as found, type FixtureCase } from '../../core/tdx/testing/fixtures.js'

export { codeOf } from '../../core/tdx/testing/fixtures.js'

/** Read only where there are cases. */
export const fixturesDir = found ?? ''

export interface TdxCase extends FixtureCase {
  root: string
  quote: string
  collateral: string
}
export interface SnpCase extends FixtureCase {
  root: string
  report: string
  vek: string
  intermediate: string
}

export const tdxCases = () => fixtureCases('tdx') as TdxCase[]
export const snpCases = () => fixtureCases('snp') as SnpCase[]

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
