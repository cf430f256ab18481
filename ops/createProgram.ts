import { Command, InvalidArgumentError, Option } from 'commander'
import type { OperatorRequest } from '@perigee/core/workflow'
import { addAuditLogCommands } from './auditLog/addAuditLogCommands.js'
import { abandon } from './commands/abandon.js'
import { contradictions } from './commands/contradictions.js'
import { publisher } from './commands/publisher.js'
import { repin } from './commands/repin.js'
import { retry } from './commands/retry.js'
import { sealing } from './commands/sealing.js'
import { stuck } from './commands/stuck.js'
import { usage, type UsageOptions } from './commands/usage.js'
import type { Choose } from './Outcome.js'
import { addWebhookCommands } from './addWebhookCommands.js'
import { addReleaseCommands } from './release/addReleaseCommands.js'
import { isHandle, parseReason, withOperator } from './withOperator.js'
import { recover } from './recover/recover.js'
import { reconcile, reconcileParts, type ReconcilePart } from './reconcile/reconcile.js'

const notes = `
Exit code: 0 nothing wrong, 1 something was found, 2 wrong usage, 3 not everything could be checked or done.
Environment: DATABASE_URL, TEMPORAL_*, IPFS_*, CHAIN_*, CONTRACT_ADDRESS, PUBLISHER_ADDRESSES, WALLET_RPC_URLS as in
.env.example. Without DATABASE_URL and TEMPORAL_ADDRESS, the local stack is used. Only release reads private keys.`

/** The command line. Parsing it calls `choose` with the action, or throws a CommanderError. */
export function createProgram(operator: string | undefined, choose: Choose): Command {
  const program = new Command('npm run ops --')
    .description('Commands for operators. See temporal/RUNBOOK.md.')
    .option('--json', 'print one JSON document, for errors too')
    .option('--stack <file>', 'use the local stack that this file describes (default: .perigee/stack.json)')
    .addHelpText('after', notes)
    .showHelpAfterError('(--help shows the usage)')
    .exitOverride()

  program
    .command('stuck')
    .description('list proofs that failed or are late, with what to do')
    .option('--overdue <minutes>', 'a proof is late after this many minutes', parseMinutes, 60)
    .option('--abandoned', 'list abandoned proofs too', false)
    .action(({ overdue, abandoned }: { overdue: number; abandoned: boolean }) =>
      choose((config) => stuck(config, { overdueSeconds: overdue * 60, abandoned })),
    )

  withOperator(program.command('retry'), operator)
    .description('retry the failed step of a proof; also revives an abandoned one')
    .argument('[slug]', 'the proof')
    .option('--all', 'every failed proof instead of one')
    .option('--code <code>', 'with --all: only proofs that failed with this code')
    .action((slug: string | undefined, options: RetryOptions, command: Command) => {
      if ((slug === undefined) !== (options.all === true)) command.error('error: name one slug, or --all')
      if (options.code && !options.all) command.error('error: --code goes with --all')
      const target = slug === undefined ? { all: true as const, code: options.code ?? null } : { slug }
      choose((config) => retry(config, { target, operator: options.operator, reason: options.reason }))
    })

  withOperator(program.command('abandon'), operator)
    .description('give up a failed proof')
    .argument('<slug>', 'the proof')
    .action((slug: string, { operator, reason }: OperatorRequest) =>
      choose((config) => abandon(config, slug, { operator, reason })),
    )

  withOperator(program.command('repin'), operator)
    .description('put every receipt on one IPFS node now: a new one, or one that lost its disk')
    .argument('<node>', 'host:port of its RPC, or the name of the pinning service, as configured')
    .action((node: string, { operator, reason }: OperatorRequest) =>
      choose((config) => repin(config, node, { operator, reason })),
    )

  program
    .command('publisher')
    .description('show each publishing key: nonce, transactions in flight, balance, rights; and proofs that wait')
    .action(() => choose(publisher))

  program
    .command('usage')
    .description('show by user and day what complete proofs cost: gas, pins, entropy samples, CPU of APIs and workers')
    .option('--days <n>', 'today and the days before', parseCount, 7)
    .option('--top <n>', 'users shown for each day, the largest first', parseCount, 10)
    .option('--user <id>', 'only this user')
    .action((options: UsageOptions) => choose((config) => usage(config, options)))

  program
    .command('sealing')
    .description('count wallets by the version of the sealing key that they need')
    .action(() => choose(sealing))

  program
    .command('recover')
    .description('after a restore from a backup: put back what the database lost, from the workflows’ histories')
    .requiredOption('--since <time>', 'when the backup was taken, or earlier (ISO 8601)', parseTime)
    .option('--apply', 'do it; without this it only looks. Needs --operator and --reason')
    .option('--operator <handle>', 'who you are, for the audit log (or PERIGEE_OPERATOR)', operator)
    .option('--reason <text>', 'why, for the audit log', parseReason)
    .action(({ since, apply, operator: by, reason }: RecoverOptions, command: Command) => {
      if (apply && (!isHandle(by) || !reason)) command.error('error: --apply needs --operator and --reason')
      choose((config) => recover(config, { since, apply: apply && by && reason ? { operator: by, reason } : null }))
    })

  program
    .command('reconcile')
    .description('compare records, IPFS and chain, and list every mismatch')
    .addOption(new Option('--only <part...>', 'check these parts only').choices(reconcileParts))
    .action(({ only = reconcileParts }: { only?: ReconcilePart[] }) => choose((config) => reconcile(config, only)))

  program
    .command('contradictions')
    .description('find receipts that contradict one another or share an entropy sample, from the chain and IPFS alone')
    .action(() => choose(contradictions))

  program
    .command('replay')
    .description('replay the open runs of the namespace against this build; do it before a deployment')
    .option('--bundle <file>', 'a workflow bundle to check instead of this build')
    .action(({ bundle }: { bundle?: string }) =>
      choose(async (config) => {
        const { replay } = await import('./commands/replay.js') // loads Temporal's worker, which no other command needs
        return replay(config, bundle)
      }),
    )

  addWebhookCommands(program, operator, choose)
  addAuditLogCommands(program, operator, choose)
  addReleaseCommands(program, operator, choose)

  return program
}

interface RecoverOptions extends Partial<OperatorRequest> {
  since: Date
  apply?: true
}

interface RetryOptions extends OperatorRequest {
  all?: true
  code?: string
}

function parseTime(text: string): Date {
  const time = new Date(text)
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(text) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError('Use ISO 8601, as in 2026-11-16T12:00:00Z.')
  }
  return time
}

function parseCount(text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) throw new InvalidArgumentError('Use a whole number from 1 to 9999.')
  return Number(text)
}

function parseMinutes(text: string): number {
  if (!/^[0-9]{1,7}$/.test(text)) throw new InvalidArgumentError('Use a whole number of minutes.')
  return Number(text)
}
