import { CommanderError, InvalidArgumentError, Command as Program } from 'commander'
import type { UnixSeconds } from '@perigee/core/bytes'
import { slugsLast, UsageError } from '@perigee/core/config'

export interface QuoteCommand {
  command: 'quote'
  file: string
  collateral: string
  root: string
  at: UnixSeconds
  json: boolean
}
export interface SnpReportCommand {
  command: 'snp-report'
  file: string
  vek: string
  intermediate: string
  root: string
  at: UnixSeconds
  vmpl?: number
  crl?: string
  json: boolean
}
export interface ReceiptCommand {
  command: 'receipt'
  target: string
  gateways: string[]
  rpc?: string
  contract?: string
  fromBlock?: number
  api?: string
  trust?: string
  stack: boolean
  at?: UnixSeconds
  /** Also check the quote as of today. */
  now: boolean
  /** File with newer collateral, for `now`. */
  collateral?: string
  /** Names of steps, as they were typed. */
  skip: string[]
  /** Files with AMD's lists of revoked certificates. */
  amdCrl?: string[]
  confirmations?: number
  /** Seconds to wait for one answer. */
  timeout?: number
  offline: boolean
  saveBundle?: string
  /** File that opens a message receipt. */
  opening?: string
  json: boolean
  explain: boolean
}
export interface WalletCommand extends Pick<
  ReceiptCommand,
  'gateways' | 'rpc' | 'contract' | 'fromBlock' | 'trust' | 'stack' | 'confirmations' | 'timeout' | 'amdCrl' | 'json'
> {
  command: 'wallet'
  wallet: string
  /** File that keeps what is finished. */
  state?: string
}
type Given<T extends { json: boolean }> = Omit<T, 'json'> & Partial<Pick<T, 'json'>>
export type Command =
  { command: 'help'; text: string } | QuoteCommand | SnpReportCommand | ReceiptCommand | WalletCommand

/** Takes the words after the program's name; returns a command or throws UsageError saying what is wrong. */
export function parseArguments(args: readonly string[]): Command {
  let text = ''
  let command: Command | undefined
  const program = createProgram((given) => (command = given))
  for (const one of [program, ...program.commands]) {
    one
      .helpOption('-h, --help', 'this text')
      .exitOverride()
      .configureOutput({
        writeOut: (part) => (text += part),
        writeErr: () => undefined,
        getOutHelpWidth: () => 116,
      })
  }
  try {
    program.parse(slugsLast(args), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw new UsageError(error.message.replace(/^error: /, '').replace('\n', ' '))
  }
  return command ?? { command: 'help', text }
}

function createProgram(found: (command: Command) => void): Program {
  const program = new Program('npm run verify --')
    .description('Check a Perigee receipt without trusting Perigee.')
    .enablePositionalOptions() // options after `quote` are those of `quote`
    .argument('<target>', 'proof URL, CID, txHash or file')
    .optionsGroup('Where to look (each is your choice; none has to be ours):')
    .option('--gateway <url>', 'IPFS gateway; may be given several times', several(webAddress))
    .option('--rpc <url>', 'a node of the chain on which the event is', webAddress)
    .option('--contract <address>', 'the contract whose events count', address)
    .option('--from-block <number>', 'search from this block on; the verdict says what was left out', integer)
    .option('--api <url>', 'the service, when a page’s URL or a slug is given', webAddress)
    .option(
      '--trust <file>',
      'trust anchors (perigee-trust/1): roots, whose lists of builds count, entropy keys, contracts',
    )
    .option(
      '--no-stack',
      'ignore .perigee/stack.json. Otherwise a local, simulated stack gives the defaults, and the verdict says SIMULATED',
    )
    .optionsGroup('How to check:')
    .option('--at <unix seconds>', 'check quote and report as of this second, not the block’s time', integer)
    .option(
      '--now',
      'also check the quote with the newest collateral in force: fails if the platform was revoked since',
    )
    .option('--collateral <json>', 'newer collateral from Intel, for --now')
    .option('--amd-crl <der>', amdCrlHelp, several())
    .option(
      '--opening <file>',
      'what opens a message receipt (perigee-opening/1), from the person who signed: shows and checks content and signature',
    )
    .option('--skip <step>', 'leave a step out; repeatable. The verdict names it, and is not VERIFIED', several())
    .option('--confirmations <number>', 'how many blocks must confirm the event (1)', integer)
    .option('--timeout <seconds>', 'give up on an answer after this long (20)', integer)
    .option('--offline', 'use no network: the file is a bundle. Its chain data is not checked: SKIP')
    .option('--save-bundle <file>', 'keep what was fetched (receipt, collateral, events, trust anchors) in one file')
    .optionsGroup('What to print:')
    .option('--json', 'the verdict as JSON (npm run -s verify -- … keeps npm’s own lines out of it)')
    .option(
      '--explain',
      'also which key service the enclave used, which list of builds applied, and the exact bytes that were hashed',
    )
    .addHelpText('after', details)
    .helpCommand(true)
    .action((target: string, { gateway = [], ...options }: Partial<ReceiptCommand> & { gateway?: string[] }) =>
      found({
        stack: true,
        now: false,
        skip: [],
        offline: false,
        json: false,
        explain: false,
        ...options,
        command: 'receipt',
        target: present(target),
        gateways: gateway,
      }),
    )
  program
    .command('wallet')
    .description(
      'check that every transaction of a wallet has a receipt that verifies, with a node and a gateway alone',
    )
    .argument('<address>', 'the wallet', address)
    .option('--gateway <url>', 'IPFS gateway; may be given several times', several(webAddress))
    .option('--rpc <url>', 'a node of the chain on which the events are', webAddress)
    .option('--contract <address>', 'the contract whose events count', address)
    .option('--from-block <number>', 'search from this block on: that of the contract’s deployment', integer)
    .option('--trust <file>', 'trust anchors (perigee-trust/1)')
    .option('--no-stack', 'ignore .perigee/stack.json')
    .option('--confirmations <number>', 'how many blocks must confirm each event (1)', integer)
    .option('--timeout <seconds>', 'give up on an answer after this long (20)', integer)
    .option('--amd-crl <der>', amdCrlHelp, several())
    .option('--state <file>', 'keep finished receipts there; the next run does not verify them again')
    .option('--json', 'the verdict as JSON, without the table')
    .action((wallet: string, { gateway = [], ...options }: Partial<WalletCommand> & { gateway?: string[] }) =>
      found({ stack: true, json: false, ...options, command: 'wallet', wallet, gateways: gateway }),
    )
  program
    .command('quote')
    .description('check that a TDX quote is authentic and sound; policy is not checked')
    .argument('<file>', 'the quote, binary or hex')
    .requiredOption('--collateral <json>', 'collateral in force at that time')
    .requiredOption('--root <der|pem>', 'Intel’s root certificate')
    .requiredOption('--at <unix seconds>', 'the time to check it for', integer)
    .option('--json', 'the verdict as JSON')
    .action((file: string, options: Given<QuoteCommand>) =>
      found({ json: false, ...options, command: 'quote', file: present(file) }),
    )
  program
    .command('snp-report')
    .description('check an SEV-SNP report in the same way')
    .argument('<file>', 'the report, binary or hex')
    .requiredOption('--vek <der|pem>', 'the chip’s certificate')
    .requiredOption('--intermediate <der|pem>', 'the certificate that signed it')
    .requiredOption('--root <der|pem>', 'AMD’s root certificate')
    .requiredOption('--at <unix seconds>', 'the time to check it for', integer)
    .option('--vmpl <0-3>', 'the privilege level it must have', privilegeLevel)
    .option('--crl <der>', 'AMD’s list of revoked certificates: the chain must not be on it')
    .option('--json', 'the verdict as JSON')
    .action((file: string, options: Given<SnpReportCommand>) =>
      found({ json: false, ...options, command: 'snp-report', file: present(file) }),
    )
  return program
}

const amdCrlHelp = 'AMD’s list of revoked certificates, in force now; repeatable, one per AMD root'

const details = `
What to check:
  proof URL  as the service or its page shows it (with --api also the slug alone); the service is asked once, which
             CID and transaction it means, and its answer is compared with what is found
  CID        of a receipt (also of a wallet’s birth) on IPFS; the bytes are hashed again, so any gateway will do
  txHash     of the signed transaction; the receipt is found through the contract’s event
  file       a receipt (its exact bytes), or a bundle made with --save-bundle: its bytes are used, and without
             --offline the node is asked what is on the chain

Steps, in order: canonical_bytes cid transaction_digest signature public_key entropy_witness coordinator_report
coordinator_binding statement passkey collateral_cid quote report_data policy release_list measurements times
onchain_event birth trust_anchors. A birth receipt has sixteen of them. The receipt of a message has opening in place
of transaction_digest and signature: without --opening it is skipped, and content and signature stay hidden.
docs/receipt-v1.md says what each proves, what it does not, and how to do it by hand.

Exit code: 0 verified (or accepted), 1 not, 2 wrong usage, 3 no step fails, but not all is known: --skip left steps
out, or something was taken from the bundle unchecked (its trust anchors, or with --offline its chain data).`

function present(value: string): string {
  if (value === '') throw new UsageError('give a proof URL, CID, txHash or file')
  return value
}

function integer(value: string): number {
  const number = /^(?:0|[1-9][0-9]*)$/.test(value) ? Number(value) : NaN
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('It must be a whole number.')
  return number
}

function privilegeLevel(value: string): number {
  if (!/^[0-3]$/.test(value)) throw new InvalidArgumentError('It must be 0, 1, 2 or 3.')
  return Number(value)
}

function address(value: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(value)) throw new InvalidArgumentError('It must be 0x and 40 hex digits.')
  return value.toLowerCase()
}

function webAddress(value: string): string {
  const isWeb = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  if (!isWeb) throw new InvalidArgumentError('It must be an http or https address.')
  return value.replace(/\/+$/, '')
}

const several =
  (parse: (value: string) => string = (value) => value) =>
  (value: string, earlier: string[] = []): string[] => [...earlier, parse(value)]
