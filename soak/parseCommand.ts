import type { Command } from 'commander'
import { UsageError } from '@perigee/core/config'

/** Reads a command line. False when it asked for help, which is printed. Throws a UsageError. */
export function parseCommand(command: Command, args: readonly string[]): boolean {
  try {
    command
      .configureOutput({ writeErr: () => undefined })
      .exitOverride()
      .parse([...args], { from: 'user' })
    return true
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === 'commander.helpDisplayed') return false
    throw new UsageError(message.replace(/^error: /, ''))
  }
}
