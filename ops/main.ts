import { run } from './run.js'

// A reader such as `head` may close the pipe early; no stack trace for that.
process.stdout.on('error', () => {})

process.exitCode = await run(process.argv.slice(2), process.env, {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
})
