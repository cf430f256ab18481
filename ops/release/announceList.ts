import { sha256 } from '@noble/hashes/sha2'
import type { DataSource } from 'typeorm'
import { cidOf, ServiceError, toHex } from '@perigee/core'
import { checkReleaseAge } from '@perigee/core/measurements'
import type { OperatorRequest } from '@perigee/core/workflow'
import { createPinningNodes } from '../../clients/ipfs/createPinningNodes.js'
import { pinEverywhere } from '../../clients/ipfs/pinEverywhere.js'
import { createReleases } from '../../clients/releases/createReleases.js'
import { appendAuditEvent, lastAuditEvent, recordPins, storeBundlesOnce } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'
import { readList, readOwnerKey, replaceList } from './listFiles.js'

export interface AnnounceOptions extends OperatorRequest {
  ownerKey?: string
  /** Print the call for a multisig instead of sending it. */
  printCall?: true
  /** Put the list where the service reads it, once it is announced. */
  install?: true
}

/**
 * Pins a signed list and announces it as the owner of the contract. Every refusal comes before anything is changed.
 * Repeating it is safe: what was done is not done again.
 */
export async function announceList(config: OpsConfig, path: string, options: AnnounceOptions): Promise<Outcome> {
  const { contract, publicKey, file: installed } = config.releases()
  const list = readList(path, publicKey)
  checkReleaseAge(list.release, Math.floor(Date.now() / 1000))
  if (options.install && !installed) throw new ServiceError('invalid_request', '--install needs MEASUREMENTS_FILE')
  const releases = createReleases(contract)
  const isNew = await releases.mustAnnounce(list)
  const key = isNew && !options.printCall ? readOwnerKey(options.ownerKey, config.releasesOwnerKey()) : null
  if (key) await releases.requireOwner(key)
  const { version } = list.release
  const about = { version, sha256: toHex(sha256(list.file)), cid: cidOf(list.file) }
  const { operator, reason } = options
  return withDatabase(config, async (database) => {
    await pinList(config, database, about.cid, list.file)
    const call = releases.announceCall(list)
    if (isNew && options.printCall) {
      const { to, data } = releases.encode(call)
      const lines = [`list ${version} is pinned as ${about.cid}. Send as the owner:`, `to    ${to}`, `data  ${data}`]
      return { lines, json: { ...about, call: { to, data } }, exitCode: 3 }
    }
    // A multisig announced what `--print-call` printed: then the repeat writes the event.
    const kind = 'operator_release_announced'
    if (isNew || (await lastAuditEvent(database, [kind], about)) === null) {
      await appendAuditEvent(database, { kind, facts: { ...about, operator, reason } })
    }
    const sent = key ? await releases.send(call, key) : null
    if (options.install && installed) replaceList(installed, list.file)
    const done = sent ? `announced in block ${sent.blockNumber} (${sent.transactionHash})` : 'was announced before'
    const lines = [`list ${version} ${done}`, `SHA-256 ${about.sha256}`, `CID     ${about.cid}`]
    if (options.install) lines.push(`installed as ${installed}`)
    return { lines, json: { ...about, announced: sent, installed: options.install === true }, exitCode: 0 }
  })
}

/** On every node, read back; and known to `repairPins`, which keeps it there. */
async function pinList(config: OpsConfig, database: DataSource, cid: string, bytes: Uint8Array): Promise<void> {
  const ipfs = config.ipfs()
  const outcomes = await pinEverywhere(createPinningNodes(ipfs).nodes, ipfs.required, cid, bytes)
  await storeBundlesOnce(database, [{ cid, kind: 'release-list', bytes: Buffer.from(bytes) }])
  const held = outcomes.filter(({ outcome }) => outcome === 'held').map(({ node }) => node)
  await recordPins(database, cid, held)
}
