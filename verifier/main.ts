import { run } from './run.js'

// A reader like `head` may close the pipe before everything is written; that is no reason for a stack trace.
process.stdout.on('error', () => {})

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  now: () => Math.floor(Date.now() / 1000),
  print: (line) => process.stdout.write(`${line}\n`),
  progress: (line) => process.stderr.write(`${line}\n`),
})
