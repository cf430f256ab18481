import { readFileSync, rmSync } from 'node:fs'
import type { WorkerOptions } from '@temporalio/worker'
import { retentionRules } from '../../../database/index.js'
import type { ActivityDeps } from '../../../workers/createActivities.js'

/**
 * The steps of each workflow in order: activities by their name, the start of the child, and calls inside an activity by
 * their own. A worker can die before and after each, as by `kill -9`; tests and the soak go through this list.
 */
export const stepsOf = {
  provision: ['fetchEntropy', 'createKeyInEnclave', 'verifyQuote', 'recordWallet', 'startChild'],
  sign: ['fetchEntropy', 'signInEnclave', 'verifyQuote', 'recordSignature', 'startChild'],
  publish: [
    'awaitBroadcast',
    'pinReceipt',
    'ipfs.pin', // upload, pin, read back
    'publishOnchain',
    'publisher.open', // claims a slot: nonce and signed transaction in the record
    'chain.broadcast',
    'chain.findMined',
  ],
  owners: ['changeOwnersInEnclave', 'verifyQuote', 'recordOwners'],
  reseal: ['resealKeyInEnclave', 'verifyQuote', 'recordReseal'],
  anchor: [
    'pinAuditHead',
    'ipfs.pin',
    'publishAuditHead',
    'publisher.openAnchor',
    'chain.broadcast',
    'chain.findMined',
  ],
  retention: ['deleteExpired', 'retention.batch'],
  repair: ['reopenReorged', 'restartOrphans', 'publishing.start', 'repairPins'],
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

type Call = (...args: unknown[]) => unknown

/** Kills this process at the point that `file` names, once: it removes the file first. */
export function openFailpoints(file: string) {
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
  const wrap = (target: object, name: string, step: string): void => {
    const call = (target as Record<string, Call>)[name] as Call
    Object.assign(target, { [name]: (...args: unknown[]) => around(step, () => call.apply(target, args)) })
  }

  /** Each rule is a statement, so a worker can die between two batches. */
  const armRetention = (database: ActivityDeps['database']): void => {
    const rules = new Set<string>(Object.values(retentionRules))
    const query = database.query.bind(database) as Call
    const armed: Call = (sql, ...rest) =>
      rules.has(sql as string) ? around('retention.batch', () => query(sql, ...rest)) : query(sql, ...rest)
    Object.assign(database, { query: armed })
  }

  return {
    /** The calls inside activities. */
    armDeps(deps: ActivityDeps): void {
      for (const node of deps.nodes) wrap(node, 'pin', 'ipfs.pin')
      for (const name of ['open', 'openAnchor']) wrap(deps.publisher, name, `publisher.${name}`)
      for (const name of ['broadcast', 'findMined']) wrap(deps.chain, name, `chain.${name}`)
      wrap(deps, 'startPublishing', 'publishing.start')
      armRetention(deps.database)
      if (deps.webhooks) wrap(deps.webhooks, 'post', 'webhook.post')
    },

    /** The activities, and the start of the child, which only `failpointInterceptors.ts` in the workflow bundle can see. */
    armWorker(options: WorkerOptions, workflowBundle: { codePath: string }): WorkerOptions {
      const activities = { ...(options.activities as Record<string, Call>) }
      for (const name of Object.keys(activities)) wrap(activities, name, name)
      const sinks = { ...options.sinks, failpoints: { reach: { fn: (_: unknown, point: string) => reach(point) } } }
      return { ...options, activities, sinks, ...(options.workflowBundle && { workflowBundle }) }
    },
  }
}
