import { open } from 'node:fs/promises'
import { ServiceError } from '@perigee/core'
import { toAuditLine } from '@perigee/core/auditLog'
import { walkAuditLog } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'

/** Writes every event as a line of canonical JSON. Never replaces a file: an older export is evidence. */
export function exportLog(config: OpsConfig, path: string): Promise<Outcome> {
  return withDatabase(config, async (database) => {
    const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
      throw new ServiceError('invalid_request', 'the file exists already, or cannot be written', {}, error)
    })
    let events = 0
    let head: string | null = null
    try {
      for await (const entry of walkAuditLog(database)) {
        await file.write(`${toAuditLine(entry)}\n`)
        events += 1
        head = entry.hash
      }
      await file.sync()
    } finally {
      await file.close()
    }
    return { lines: [`${events} events written, head ${head ?? 'none'}`], json: { events, head }, exitCode: 0 }
  })
}
