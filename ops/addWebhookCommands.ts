import type { Command } from 'commander'
import type { OperatorRequest } from '@perigee/core/workflow'
import { listWebhooks, replayWebhooks } from './commands/webhooks.js'
import type { Choose } from './Outcome.js'
import { withOperator } from './withOperator.js'

/** `webhooks list` and `webhooks replay`. */
export function addWebhookCommands(program: Command, operator: string | undefined, choose: Choose): void {
  const webhooks = program.command('webhooks').description('events for applications (docs/webhooks.md)')

  webhooks
    .command('list')
    .description('list events that were given up, and count those that wait')
    .action(() => choose(listWebhooks))

  withOperator(webhooks.command('replay'), operator)
    .description('send events again that were given up, with the ids they had; a named one also if it was delivered')
    .argument('[event]', 'its webhook-id')
    .option('--all', 'every dead letter instead of one event')
    .option('--application <name>', 'only for this application')
    .action((event: string | undefined, options: ReplayOptions, command: Command) => {
      if ((event === undefined) !== (options.all === true)) command.error('error: name one event, or --all')
      const { application = null, operator: by, reason } = options
      choose((config) => replayWebhooks(config, { eventId: event ?? null, application, operator: by, reason }))
    })
}

interface ReplayOptions extends OperatorRequest {
  all?: true
  application?: string
}
