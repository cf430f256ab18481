import type { Progress } from '../progress.js'
import { buildWithGo } from './buildWithGo.js'
import { findBinary, lookForBinary, type BinarySpec } from './findBinary.js'

/** Of the module in ./temporalServer/go.mod. */
const version = '1.32.1'

/** What a cluster is made of: the server of all roles, and the tool that makes its schema. */
export interface ServerPrograms {
  server: string
  sqlTool: string
}

const common = {
  version,
  oldest: version,
  versionArgs: ['--version'],
  howToInstall:
    'Install Go 1.26 or later (https://go.dev/dl/), or the server itself (https://github.com/temporalio/temporal/releases)',
}

function specs(env: NodeJS.ProcessEnv): Record<keyof ServerPrograms, BinarySpec> {
  const fetchesOf = (path: string, doing: string): BinarySpec['fetches'] => {
    const program = { module: 'temporalServer', package: `go.temporal.io/server/${path}` }
    return [{ doing, into: (scratch, target) => buildWithGo(program, scratch, target, env) }]
  }
  return {
    server: {
      ...common,
      title: 'Temporal server',
      command: 'temporal-server',
      variable: 'TEMPORAL_SERVER_PATH',
      fetches: fetchesOf('cmd/server', 'building with Go, which takes about ten minutes, once'),
    },
    sqlTool: {
      ...common,
      title: 'Temporal SQL tool',
      command: 'temporal-sql-tool',
      variable: 'TEMPORAL_SQL_TOOL_PATH',
      fetches: fetchesOf('cmd/tools/sql', 'building with Go'),
    },
  }
}

/** Finds both programs, or builds them into the user's cache. */
export async function findTemporalServer(env: NodeJS.ProcessEnv, progress: Progress): Promise<ServerPrograms> {
  const { server, sqlTool } = specs(env)
  return { server: await findBinary(server, env, progress), sqlTool: await findBinary(sqlTool, env, progress) }
}

/** Both, if this machine has them already. */
export async function lookForTemporalServer(env: NodeJS.ProcessEnv): Promise<ServerPrograms | undefined> {
  const { server, sqlTool } = specs(env)
  const [found, tool] = [await lookForBinary(server, env), await lookForBinary(sqlTool, env)]
  return found && tool ? { server: found, sqlTool: tool } : undefined
}
