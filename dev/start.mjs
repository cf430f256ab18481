// `npm start`: installs the dependencies if they are missing, then becomes the supervisor, in this same process.
import { pathToFileURL } from 'node:url'
import { ensureInstalled, requireNode } from './install.mjs'

const help = `npm start              start Perigee and everything it needs; Ctrl-C stops all of it
npm start -- --fresh   the same, but delete all earlier data first
npm start -- --cluster a Temporal cluster of ten processes with TLS and tokens instead of the dev server
npm start -- --help    this text

Data, secrets and logs are kept in .perigee/ (another folder: PERIGEE_DIR). Settings are read from the
environment and from a file .env; .env.example names them all. A port is moved with its variable, such
as API_PORT=8090. When everything is ready, .perigee/stack.json lists every address and process.

The Temporal CLI and Kubo are looked for in TEMPORAL_CLI_PATH and KUBO_PATH, on PATH and in
~/.cache/perigee, and fetched when they are missing. If Kubo must be built, everything else starts meanwhile. The Temporal
server of --cluster is looked for in TEMPORAL_SERVER_PATH and built with Go, once, in about ten minutes.

With TEMPORAL_ADDRESS (and TEMPORAL_TLS_*, TEMPORAL_API_KEY, TEMPORAL_NAMESPACE) that Temporal is used
and none is started.`

requireNode()
if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log(help)
} else {
  console.log('Starting Perigee.') // building and loading the supervisor takes seconds
  await ensureInstalled()
  const { register } = await import('tsx/esm/api')
  const unregister = register()
  const { buildProgram } = await import('./stack/programs/buildProgram.ts')
  const supervisor = await buildProgram(new URL('./stack/main.ts', import.meta.url))
  await unregister()
  await import(pathToFileURL(supervisor).href)
}
