import { readFileSync } from 'node:fs'
import type { EnvReader } from '@perigee/core/config'
import type { QuotePolicy } from '@perigee/core/policy'
import { tcbStatuses, type TcbStatus } from '@perigee/core/tdx'
import type { Hex } from '@perigee/core'
import type { EnclaveClientOptions } from './createEnclaveClient.js'

/** `ENCLAVE_URL`, `ENCLAVE_CLIENT_CERT`, `ENCLAVE_CLIENT_KEY`, `ENCLAVE_CLIENT_CA`, and optional pins of the server's key. */
export function parseEnclaveClientConfig(env: EnvReader): EnclaveClientOptions {
  const read = (path: string) => readFileSync(path)
  return {
    url: env.url('ENCLAVE_URL', ['https:']),
    cert: env.file('ENCLAVE_CLIENT_CERT', read),
    key: env.file('ENCLAVE_CLIENT_KEY', read),
    ca: env.file('ENCLAVE_CLIENT_CA', read),
    serverKeys: env.list('ENCLAVE_SERVER_KEYS', '').map((hash) => hash.replace(/^0x/, '').toLowerCase()),
    deadlineMs: env.integer('ENCLAVE_CLIENT_DEADLINE_MS', { min: 100, max: 600_000 }, 15_000),
  }
}

/** The TCB states and platforms that may sign: by default only `UpToDate`, on any platform. */
export function parseQuotePolicy(env: EnvReader): QuotePolicy {
  const statuses = env.list('TCB_STATUSES', 'UpToDate')
  if (!statuses.every((status) => (tcbStatuses as readonly string[]).includes(status))) {
    env.problem(`TCB_STATUSES must be a list of ${tcbStatuses.join(', ')}`)
  }
  const until = env.has('TCB_OUT_OF_DATE_UNTIL') ? Date.parse(env.text('TCB_OUT_OF_DATE_UNTIL')) : undefined
  if (Number.isNaN(until)) env.problem('TCB_OUT_OF_DATE_UNTIL must be an ISO time')
  const ppids = env.list('PLATFORM_PPIDS', '').map((ppid) => ppid.toLowerCase() as Hex)
  return {
    tcbStatuses: statuses as TcbStatus[],
    allowedAdvisoryIds: env.list('TCB_ADVISORIES', ''),
    ...(until !== undefined && { outOfDateUntil: Math.floor(until / 1000) }),
    ...(ppids.length > 0 && { ppids }),
  }
}
