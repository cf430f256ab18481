import { countBySealingVersion } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'

/** Counts wallets by sealing version. While an old one is in use, enclaves must go on opening it. */
export function sealing(config: OpsConfig): Promise<Outcome> {
  return withDatabase(config, async (database) => {
    const counts = await countBySealingVersion(database)
    const newest = Math.max(config.sealingVersion(), counts.at(-1)?.version ?? 1)
    const lines = counts.map(({ version, wallets }) => `version ${version}: ${wallets} wallets`)
    const old = counts.filter(({ version }) => version < newest).reduce((sum, { wallets }) => sum + wallets, 0)
    lines.push(old === 0 ? 'no wallet needs an older version' : `${old} wallets still need an older version`)
    return { lines, json: { versions: counts, old }, exitCode: old === 0 ? 0 : 1 }
  })
}
