import { CommanderError, type Command } from 'commander'
import { ConfigError, harmless, harmlessJson, slugsLast, type Env } from '@perigee/core/config'
import { ServiceError } from '@perigee/core'
import { createConfig } from './config.js'
import { createProgram } from './createProgram.js'
import type { Choose, Outcome } from './Outcome.js'
import { findStack } from './findStack.js'

export interface Console {
  print(line: string): void
  complain(line: string): void
}

/** Runs one command and returns the exit code. `folder` is where a local stack keeps its files. */
export async function run(args: readonly string[], env: Env, console: Console, folder = process.cwd()) {
  try {
    let action: Parameters<Choose>[0] | undefined
    const program = createProgram(env['PERIGEE_OPERATOR'], (chosen) => (action = chosen))
    const output = {
      writeOut: (text: string) => console.print(text.trimEnd()),
      writeErr: (text: string) => console.complain(text.trimEnd()),
    }
    for (const command of withSubcommands(program)) command.configureOutput(output)
    program.parse(slugsLast(args), { from: 'user' })
    if (!action) return 2
    const { json, stack } = program.opts<{ json?: true; stack?: string }>()
    const local = findStack(stack, env, folder)
    if (local) console.complain(`local stack: ${local.file}`)
    return show(await action(createConfig(local ? { ...env, ...local.variables } : env)), json === true, console)
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed the help or the mistake.
      return error.exitCode === 0 ? 0 : 2
    }
    if (error instanceof ConfigError) {
      for (const problem of error.problems) console.complain(problem)
      return 2
    }
    // Drivers put addresses, sometimes with passwords, into their messages: print only our own text.
    const known = error instanceof ServiceError ? error : new ServiceError('internal_error', 'the command failed')
    console.complain(harmless(`${known.code}: ${known.message}`))
    if (args.includes('--json')) {
      console.print(harmlessJson({ error: { code: known.code, message: known.message } }))
    }
    return 3
  }
}

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)]

function show({ lines, json, exitCode }: Outcome, asJson: boolean, console: Console): number {
  if (asJson) console.print(harmlessJson(json))
  else for (const line of lines) console.print(harmless(line))
  return exitCode
}
