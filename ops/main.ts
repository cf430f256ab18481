import { run } from './run.js'

// A reader like `head` may close the pipe before everything is written; that is no reason for a stack trace.
process.stdout.on('error', () => {})

process.exitCode = await run(process.argv.slice(2), process.env, {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
})
