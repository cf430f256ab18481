import { Argument, Command, InvalidArgumentError } from 'commander'

export interface RehearseOptions {
  name: string
  /** Requests a second. */
  rate: number
  record: boolean
  keep: boolean
}

/** The options of the command line. Help, and wrong usage, are printed and end the process. */
export function parseArguments(
  args: readonly string[],
  rehearsals: readonly { name: string; title: string }[],
): RehearseOptions {
  const width = Math.max(...rehearsals.map(({ name }) => name.length))
  const list = rehearsals.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`)
  const command = new Command('npm run rehearse --')
    .description('What operators do with a running service, on a stack of its own, while users sign.')
    .addArgument(new Argument('<name>', 'which one; the names are below').choices(rehearsals.map(({ name }) => name)))
    .option('--rate <n>', 'requests a second', parseRate, 1)
    .option('--record', 'print the result with a table of its steps', false)
    .option('--keep', 'keep the folder with logs and data (always kept when something is wrong)', false)
    .addHelpText('after', ['', 'Rehearsals:', ...list, '', 'Exit code: 0 passed, 1 failed, 2 wrong usage.'].join('\n'))
    .showHelpAfterError('See: npm run rehearse -- --help')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse(args, { from: 'user' })
  const [name = ''] = command.args
  return { name, ...command.opts<Omit<RehearseOptions, 'name'>>() }
}

function parseRate(text: string): number {
  const rate = Number(text)
  if (!(rate >= 0.1 && rate <= 100)) throw new InvalidArgumentError('It must be a number from 0.1 to 100.')
  return rate
}
