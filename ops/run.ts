import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError, type Env } from '@perigee/core/config'
import { ServiceError } from '@perigee/core'
import { runAudit } from './audit/runAudit.js'
import { abandon } from './commands/abandon.js'
import { publisher } from './commands/publisher.js'
import { retry } from './commands/retry.js'
import { stuck } from './commands/stuck.js'
import { createConfig, type OpsConfig } from './config.js'
import { help } from './help.js'
import { parseArguments, type Command } from './parseArguments.js'
import { UsageError } from './UsageError.js'

export interface Console {
  print(line: string): void
  complain(line: string): void
}

/** What a command found: for people, for programs, and whether all is well (0), not (1), or unknown (3). */
export interface Outcome {
  lines: string[]
  json: object
  exitCode: 0 | 1 | 3
}

/** Runs one command and gives the exit code. */
export async function run(args: readonly string[], env: Env, console: Console): Promise<number> {
  try {
    const { command, json, stack } = parseArguments(args, env['PERIGEE_OPERATOR'] ?? '')
    const outcome = await carryOut(command, createConfig(stack === null ? env : { ...env, ...readStack(stack) }))
    if (json) console.print(JSON.stringify(outcome.json, null, 2))
    else for (const line of outcome.lines) console.print(line)
    return outcome.exitCode
  } catch (error) {
    if (error instanceof UsageError) {
      console.complain(`${error.message}\n\n${help}`)
      return 2
    }
    if (error instanceof ConfigError) {
      for (const problem of error.problems) console.complain(problem)
      if (!args.includes('--stack')) console.complain('For the local stack: --stack .perigee/stack.json')
      return 2
    }
    // Drivers put addresses, sometimes with passwords, into their messages: only our own words are shown.
    const said = error instanceof ServiceError ? error : new ServiceError('internal_error', 'it could not be done')
    console.complain(`${said.code}: ${said.message}`)
    if (args.includes('--json')) {
      console.print(JSON.stringify({ error: { code: said.code, message: said.message } }, null, 2))
    }
    return 3
  }
}

function carryOut(command: Command, config: OpsConfig): Promise<Outcome> {
  switch (command.name) {
    case 'help':
      return Promise.resolve({ lines: [help], json: { help }, exitCode: 0 })
    case 'stuck':
      return stuck(config, command)
    case 'retry':
      return retry(config, command)
    case 'abandon':
      return abandon(config, command)
    case 'publisher':
      return publisher(config)
    case 'audit':
      return runAudit(config, command.parts)
  }
}

/** The variables of a local stack, from the two files it keeps. */
function readStack(file: string): Env {
  try {
    const stack = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    const secrets = JSON.parse(readFileSync(join(dirname(file), 'secrets.json'), 'utf8')) as Record<string, unknown>
    return {
      ...{ DATABASE_URL: String(stack['databaseUrl']), TEMPORAL_ADDRESS: String(stack['temporalAddress']) },
      ...{ TEMPORAL_NAMESPACE: String(stack['namespace']), CHAIN_RPC_URLS: String(stack['rpcUrl']) },
      ...{ CHAIN_ID: String(stack['chainId']), CONTRACT_ADDRESS: String(stack['contractAddress']) },
      ...{ IPFS_API_URLS: String(stack['ipfsApiUrl']), CHAIN_CONFIRMATIONS: '1' },
      TEMPORAL_CODEC_KEYS: `local:${String(secrets['codecKey'])}`,
    }
  } catch {
    throw new UsageError(`${file} is not the file of a running stack`)
  }
}
