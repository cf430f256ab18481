import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mintSnpReport, parseSnpReportKeys } from '@perigee/core/simulation'
import type { SnpPlatform } from './createCoordinatorAttestor.js'

/** Software in place of SEV-SNP: real reports under a development ARK. Anyone who can read the folder can forge them. */
export function openSimulatedSnp(simulationDir: string): SnpPlatform {
  const file = (name: string) => readFileSync(join(simulationDir, 'snp', name))
  const keys = parseSnpReportKeys(JSON.parse(file('report-keys.json').toString('utf8')))
  const [vek, intermediate] = [file('vcek.der'), file('ask.der')]
  return { report: async (reportData) => ({ report: mintSnpReport({ reportData }, keys), vek, intermediate }) }
}
