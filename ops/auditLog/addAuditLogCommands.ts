import type { Command } from 'commander'
import type { OperatorRequest } from '@perigee/core/workflow'
import type { Choose } from '../Outcome.js'
import { acceptLog, anchorLog } from './anchorLog.js'
import { withOperator } from '../withOperator.js'
import { exportLog } from './exportLog.js'
import { verifyLog } from './verifyLog.js'

const notes = `
With --file, verify needs no database: CHAIN_ID, CHAIN_RPC_URLS, CONTRACT_ADDRESS and CONTRACT_BLOCK are enough.
docs/security.md, "The audit log", says what each check shows.`

/** `npm run ops -- audit-log …`: check, export and anchor the audit log. */
export function addAuditLogCommands(program: Command, operator: string | undefined, choose: Choose): void {
  const log = program
    .command('audit-log')
    .description('check, export and anchor the audit log')
    .addHelpText('after', notes)

  log
    .command('verify')
    .description('recompute the chain, and compare it with every anchor in the contract’s log')
    .option('--file <file>', 'an export to check instead of the database')
    .action(({ file }: { file?: string }) => choose((config) => verifyLog(config, file ?? null)))

  log
    .command('export')
    .description('write every event as a line of JSON; keep it where the service cannot change it')
    .argument('<file>', 'the file to write; it must not exist')
    .action((file: string) => choose((config) => exportLog(config, file)))

  log
    .command('anchor')
    .description('publish the head of the log now, as the schedule does once a day')
    .action(() => choose(anchorLog))

  withOperator(log.command('accept'), operator)
    .description('anchor a log that is broken since its last anchor, once you know why (a restore from a backup)')
    .action(({ operator, reason }: OperatorRequest) => choose((config) => acceptLog(config, { operator, reason })))
}
