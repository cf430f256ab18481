import { ServiceError } from '@perigee/core'
import type { OperatorRequest } from '@perigee/core/workflow'
import { createReleases } from '../../clients/releases/createReleases.js'
import { appendAuditEvent, lastAuditEvent } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'
import { readOwnerKey } from './listFiles.js'

export interface WithdrawOptions extends OperatorRequest {
  ownerKey?: string
  printCall?: true
}

/** Withdraws an announced list for good. Repeating it is safe. */
export async function withdrawList(config: OpsConfig, version: number, options: WithdrawOptions): Promise<Outcome> {
  const releases = createReleases(config.releases().contract)
  const found = await releases.announced(version)
  if (found === null) throw new ServiceError('release_missing', `no list of version ${version} was announced`)
  const call = releases.withdrawCall(version)
  if (!found.withdrawn && options.printCall) {
    const { to, data } = releases.encode(call)
    return { lines: ['Send as the owner:', `to    ${to}`, `data  ${data}`], json: { version, call: { to, data } }, exitCode: 3 } // prettier-ignore
  }
  const { operator, reason } = options
  const sent = await withDatabase(config, async (database) => {
    const key = found.withdrawn ? null : readOwnerKey(options.ownerKey, config.releasesOwnerKey())
    if (key) await releases.requireOwner(key)
    // A multisig sent what `--print-call` printed: then the repeat writes the event.
    const kind = 'operator_release_withdrawn'
    if (key || (await lastAuditEvent(database, [kind], { version })) === null) {
      await appendAuditEvent(database, { kind, facts: { version, operator, reason } })
    }
    return key && releases.send(call, key)
  })
  const inForce = await releases.versionInForce()
  const done = sent ? `withdrawn in block ${sent.blockNumber} (${sent.transactionHash})` : 'was withdrawn before'
  const left = inForce === 0 ? 'No list is in force now.' : `List ${inForce} is in force now.`
  return { lines: [`list ${version} ${done}`, left], json: { version, withdrawn: sent, inForce }, exitCode: 0 }
}
