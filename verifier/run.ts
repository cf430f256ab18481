import { ServiceError } from '@perigee/core/errors'
import type { Console } from './Console.js'
import { parseArguments, type Command } from './parseArguments.js'
import { printFileVerdict, printVerdict } from './printVerdict.js'
import { harmless, harmlessJson, UsageError } from '@perigee/core/config'
import type { FileVerdict } from './verifyFiles.js'

/** 3: no step fails, but some were left out, or trust anchors or chain data were taken from the bundle unchecked. */
export type ExitCode = 0 | 1 | 2 | 3

/** Runs one command and returns the exit code. Any failure ends in one line, never in a stack trace. */
export async function run(args: readonly string[], console: Console): Promise<ExitCode> {
  const io = withoutControls(console)
  const json = args.includes('--json')
  const files = args[0] === 'quote' || args[0] === 'snp-report'
  try {
    return await runCommand(parseArguments(args), io)
  } catch (error) {
    const usage = error instanceof UsageError
    const code = usage ? 'invalid_request' : error instanceof ServiceError ? error.code : 'internal_error'
    const detail = usage || error instanceof ServiceError ? error.message : 'unexpected error'
    const facts = error instanceof ServiceError ? error.facts : {}
    const verdict = files ? { accept: false } : { verified: false }
    if (json) io.printJson({ ...verdict, code, detail, facts })
    else if (usage) for (const line of [detail, 'Try --help.']) io.progress(line)
    else io.print(`NOT VERIFIED [${code}] ${detail}`)
    return usage ? 2 : 1
  }
}

// Each command loads what it needs: help and quotes do not wait for IPFS and Ethereum code.
async function runCommand(command: Command, io: SafeConsole): Promise<ExitCode> {
  switch (command.command) {
    case 'help':
      for (const line of command.text.split('\n')) io.print(line)
      return 0
    case 'quote': {
      const { verifyQuoteFile } = await import('./verifyFiles.js')
      return report(await verifyQuoteFile(command, io.cwd), command.json, io)
    }
    case 'snp-report': {
      const { verifySnpReportFile } = await import('./verifyFiles.js')
      return report(await verifySnpReportFile(command, io.cwd), command.json, io)
    }
    case 'wallet': {
      const { verifyWallet } = await import('./wallet/verifyWallet.js')
      const { printRow, printWallet, walletHeader } = await import('./wallet/printWallet.js')
      if (!command.json) io.print(walletHeader)
      const verdict = await verifyWallet(command, io, (row) => command.json || io.print(printRow(row)))
      if (command.json) io.printJson(verdict)
      else for (const line of printWallet(verdict)) io.print(line)
      return verdict.verified ? 0 : 1
    }
    case 'receipt': {
      const { verifyTarget } = await import('./receipt/verifyTarget.js')
      const verdict = await verifyTarget(command, io)
      if (command.json) io.printJson(verdict)
      else for (const line of printVerdict(verdict)) io.print(line)
      return verdict.verified ? 0 : verdict.restsOnBundle || verdict.leftOut.length > 0 ? 3 : 1
    }
  }
}

function report(verdict: FileVerdict, json: boolean, io: SafeConsole): ExitCode {
  if (json) io.printJson(verdict)
  else for (const line of printFileVerdict(verdict)) io.print(line)
  return verdict.accept ? 0 : 1
}

interface SafeConsole extends Console {
  printJson(value: unknown): void
}

/** Receipts, services, gateways and nodes write part of the text: none of it may control the reader's terminal. */
function withoutControls(console: Console): SafeConsole {
  return {
    ...console,
    print: (line) => console.print(harmless(line)),
    progress: (line) => console.progress(harmless(line)),
    printJson: (value) => console.print(harmlessJson(value)),
  }
}
