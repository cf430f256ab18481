import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { createAuditCheck, parseAuditLine, type AuditAnchor, type AuditVerdict } from '@perigee/core/auditLog'
import { readAnchors } from '../../clients/chain/auditAnchors.js'
import { eventRange } from '../../clients/chain/ChainConfig.js'
import { createRpcs } from '../../clients/chain/rpc/createRpcs.js'
import { findAnchorsUnderWay, findPlacedAnchors, verifyAuditLog } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'

/** Checks the log, or an export of it, by itself and against every anchor on the chain. */
export async function verifyLog(config: OpsConfig, file: string | null): Promise<Outcome> {
  const { chain } = config.chain()
  const anchors = await createRpcs(chain).first((client) => readAnchors(client, eventRange(chain)))
  const { verdict, notes } = file
    ? { verdict: await verifyExport(file, anchors), notes: [] }
    : await withDatabase(config, async (database) => ({
        verdict: await verifyAuditLog(database, anchors),
        notes: await describeRecord(database, chain.chainId, anchors),
      }))
  const { events, head, faults, anchoredUpTo } = verdict
  const lines = [
    ...faults.map(({ sequence, fault }) => `FAIL  event ${sequence}: ${fault}`),
    `${faults.length === 0 ? 'PASS' : 'FAIL'}  ${events} events, head ${head}`,
    `${verdict.anchors} of ${anchors.length} anchors agree; ${Math.max(0, events - anchoredUpTo)} events follow the last of them`,
    ...notes,
  ]
  return { lines, json: { ...verdict, anchorsOnChain: anchors.length }, exitCode: faults.length === 0 ? 0 : 1 }
}

/** Anchors that the record knows and the chain does not show. No fault of the log: only the chain is evidence. */
async function describeRecord(database: DataSource, chainId: number, anchors: readonly AuditAnchor[]) {
  const shown = new Set(anchors.map(({ sequence, hash }) => `${sequence} ${hash}`))
  const isHidden = ({ sequence, hash }: Pick<AuditAnchor, 'sequence' | 'hash'>) => !shown.has(`${sequence} ${hash}`)
  const lost = (await findPlacedAnchors(database, chainId)).filter(isHidden)
  const underWay = (await findAnchorsUnderWay(database, chainId)).filter(isHidden)
  return [
    ...lost.map(({ sequence }) => `the anchor of event ${sequence} is recorded, and not on the chain: a reorg took it`),
    ...underWay.map(({ sequence }) => `the anchor of event ${sequence} is on its way to the chain`),
  ]
}

async function verifyExport(path: string, anchors: readonly AuditAnchor[]): Promise<AuditVerdict> {
  const check = createAuditCheck(anchors)
  let line = 0
  try {
    for await (const text of createInterface({ input: createReadStream(path, 'utf8') })) {
      line += 1
      check.add(parseAuditLine(text))
    }
  } catch (error) {
    if (error instanceof ServiceError) throw new ServiceError(error.code, `line ${line}: ${error.message}`)
    throw new ServiceError('invalid_request', 'the export cannot be read', {}, error)
  }
  return check.end()
}
