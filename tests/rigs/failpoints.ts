import { readFileSync, rmSync } from 'node:fs'
import type { Pool } from 'pg'
import type { ActivityDeps } from '../../workers/createActivities.js'

/**
 * The steps of each workflow, by the call that does them, in order. A worker can be made to die, as by `kill -9`, before
 * and after each: tests and the soak go through this list, so a new step belongs in it.
 */
export const stepsOf = {
  provision: ['entropy.take', 'enclave.createKey', 'evidence.verifyCreateKeyEvidence', 'record.wallet'],
  sign: ['entropy.take', 'enclave.signTransaction', 'evidence.verifySignEvidence', 'record.signature'],
  publish: [
    'transactions.hasSeen',
    'ipfs.pin', // upload, pin, read back
    'record.pinned', // CID and receipt
    'publisher.open', // nonce and signed transaction in the record, and sent
    'chain.broadcast',
    'chain.findMined',
    'record.complete', // place on the chain
  ],
  repair: ['chain.head', 'publishing.start'],
} as const

/** `<step>:before` and `<step>:after`, for every step of a workflow. */
export function failpointsOf(workflow: keyof typeof stepsOf): string[] {
  return stepsOf[workflow].flatMap((step) => [`${step}:before`, `${step}:after`])
}

/** All of them, with the workflow that reaches each. */
export const failpoints = (Object.keys(stepsOf) as (keyof typeof stepsOf)[]).flatMap((workflow) =>
  failpointsOf(workflow).map((point) => ({ workflow, point })),
)
export type Failpoint = (typeof failpoints)[number]

/**
 * Kills this process at the point that `file` names, once: it removes the file first.
 */
export function armFailpoints(deps: ActivityDeps, file: string): void {
  const reach = (point: string): void => {
    let armed: string
    try {
      armed = readFileSync(file, 'utf8')
    } catch {
      return
    }
    if (armed.trim() !== point) return
    rmSync(file, { force: true })
    process.kill(process.pid, 'SIGKILL')
  }
  const around = async (step: string, work: () => unknown): Promise<unknown> => {
    reach(`${step}:before`)
    const result = await work()
    reach(`${step}:after`)
    return result
  }
  const watch = (target: object, name: string, step: string): void => {
    const call = (target as Record<string, (...args: unknown[]) => unknown>)[name] as (...args: unknown[]) => unknown
    Object.assign(target, { [name]: (...args: unknown[]) => around(step, () => call.apply(target, args)) })
  }

  watch(deps.entropy, 'take', 'entropy.take')
  for (const name of ['createKey', 'signTransaction']) watch(deps.enclave, name, `enclave.${name}`)
  const checks = ['verifyCreateKeyEvidence', 'verifySignEvidence']
  for (const name of checks) watch(deps.evidence, name, `evidence.${name}`)
  for (const node of deps.nodes) watch(node, 'pin', 'ipfs.pin')
  watch(deps.publisher, 'open', 'publisher.open')
  for (const name of ['broadcast', 'findMined', 'head']) watch(deps.chain, name, `chain.${name}`)
  watch(deps, 'startPublishing', 'publishing.start')
  watch(deps.transactions, 'hasSeen', 'transactions.hasSeen')

  // Records are written by prepared statements, which have names.
  const pool = (deps.database.driver as unknown as { master: Pool }).master
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  const records: Record<string, string> = {
    record_wallet: 'record.wallet',
    record_signature: 'record.signature',
    mark_pinned: 'record.pinned',
    mark_complete: 'record.complete',
  }
  pool.query = ((...args: unknown[]) => {
    const step = records[(args[0] as { name?: string } | undefined)?.name ?? '']
    return step ? around(step, () => query(...args)) : query(...args)
  }) as typeof pool.query
}
