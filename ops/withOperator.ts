import { InvalidArgumentError, Option, type Command } from 'commander'
import type { OperatorRequest } from '@perigee/core/workflow'

/** Commands that change something name who asks and why; both go into the audit log. */
export function withOperator(command: Command, operator: string | undefined): Command {
  return command
    .addOption(
      new Option('--operator <handle>', 'who you are, for the audit log (or PERIGEE_OPERATOR); no personal data')
        .default(operator)
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'why, for the audit log', parseReason)
    .hook('preAction', (_program, chosen) => {
      // Not in the option's own parser, which never sees what comes from PERIGEE_OPERATOR.
      if (isHandle(chosen.opts<OperatorRequest>().operator)) return
      chosen.error('error: the operator is a handle of letters, digits, dot, dash and underscore')
    })
}

export function parseReason(text: string): string {
  if (text.trim() === '' || text.length > 500) throw new InvalidArgumentError('Use 1 to 500 characters.')
  return text.trim()
}

/** A name without personal data: it stays in the audit log. */
export const isHandle = (text: string | undefined): boolean => /^[A-Za-z0-9._-]{1,64}$/.test(text ?? '')
