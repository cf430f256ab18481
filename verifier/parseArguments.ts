import { parseArgs } from 'node:util'
import type { UnixSeconds } from '@perigee/core'
import { slugsLast, UsageError } from '@perigee/core/config'

interface Common {
  json: boolean
}
export interface QuoteCommand extends Common {
  command: 'quote'
  file: string
  collateral: string
  root: string
  at: UnixSeconds
}
export interface SnpReportCommand extends Common {
  command: 'snp-report'
  file: string
  vek: string
  intermediate: string
  root: string
  at: UnixSeconds
  vmpl?: number
}
export interface ReceiptCommand extends Common {
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
  /** Names of steps, as they were typed. */
  skip: string[]
  confirmations?: number
  offline: boolean
  saveBundle?: string
  explain: boolean
}
export type Command = { command: 'help' } | QuoteCommand | SnpReportCommand | ReceiptCommand

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const common = { json: flag, help: { ...flag, short: 'h' } } as const

/** Takes the words after the program's name; returns a command or throws UsageError saying what is wrong. */
export function parseArguments(args: readonly string[]): Command {
  if (args.includes('--help') || args.includes('-h') || args[0] === 'help') return { command: 'help' }
  if (args.length === 0) throw new UsageError('nothing to verify')
  if (args[0] === 'quote') return parseQuote(args.slice(1))
  if (args[0] === 'snp-report') return parseSnpReport(args.slice(1))
  return parseReceipt(args)
}

function parseQuote(args: readonly string[]): QuoteCommand {
  const { values, positionals } = parse(args, { ...common, collateral: text, root: text, at: text })
  const given = required(values, ['collateral', 'root', 'at'])
  return {
    command: 'quote',
    file: only(positionals, 'quote file'),
    collateral: given.collateral,
    root: given.root,
    at: integer('--at', given.at),
    json: values.json === true,
  }
}

function parseSnpReport(args: readonly string[]): SnpReportCommand {
  const options = { ...common, vek: text, intermediate: text, root: text, at: text, vmpl: text }
  const { values, positionals } = parse(args, options)
  const given = required(values, ['vek', 'intermediate', 'root', 'at'])
  return {
    command: 'snp-report',
    file: only(positionals, 'report file'),
    vek: given.vek,
    intermediate: given.intermediate,
    root: given.root,
    at: integer('--at', given.at),
    ...(values.vmpl === undefined ? {} : { vmpl: integer('--vmpl', values.vmpl as string, 3) }),
    json: values.json === true,
  }
}

const receiptOptions = {
  ...common,
  gateway: { ...text, multiple: true },
  rpc: text,
  contract: text,
  'from-block': text,
  api: text,
  trust: text,
  'no-stack': flag,
  at: text,
  skip: { ...text, multiple: true },
  confirmations: text,
  offline: flag,
  'save-bundle': text,
  explain: flag,
} as const

function parseReceipt(args: readonly string[]): ReceiptCommand {
  const { values, positionals } = parse(args, receiptOptions)
  const at = values.at as string | undefined
  const fromBlock = values['from-block'] as string | undefined
  const confirmations = values.confirmations as string | undefined
  if (values.contract !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(values.contract as string)) {
    throw new UsageError('--contract must be an address: 0x and 40 hex digits')
  }
  return {
    command: 'receipt',
    target: only(positionals, 'proof URL, CID, txHash or file'),
    gateways: ((values.gateway as string[] | undefined) ?? []).map((url) => webAddress('--gateway', url)),
    ...(values.rpc === undefined ? {} : { rpc: webAddress('--rpc', values.rpc as string) }),
    ...(values.contract === undefined ? {} : { contract: (values.contract as string).toLowerCase() }),
    ...(fromBlock === undefined ? {} : { fromBlock: integer('--from-block', fromBlock) }),
    ...(values.api === undefined ? {} : { api: webAddress('--api', values.api as string) }),
    ...(values.trust === undefined ? {} : { trust: values.trust as string }),
    stack: values['no-stack'] !== true,
    ...(at === undefined ? {} : { at: integer('--at', at) }),
    skip: (values.skip as string[] | undefined) ?? [],
    ...(confirmations === undefined ? {} : { confirmations: integer('--confirmations', confirmations) }),
    offline: values.offline === true,
    ...(values['save-bundle'] === undefined ? {} : { saveBundle: values['save-bundle'] as string }),
    json: values.json === true,
    explain: values.explain === true,
  }
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>

function parse(args: readonly string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options']) {
  try {
    const parsed = parseArgs({ args: slugsLast(args), options, allowPositionals: true, strict: true })
    return { values: parsed.values as Values, positionals: parsed.positionals }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'wrong options')
  }
}

function only(positionals: readonly string[], what: string): string {
  const [first, second] = positionals
  if (first === undefined || first === '') throw new UsageError(`give a ${what}`)
  if (second !== undefined) throw new UsageError(`give one ${what}, not also ${second}`)
  return first
}

function required<T extends string>(values: Values, names: readonly T[]): Record<T, string> {
  const missing = names.filter((name) => typeof values[name] !== 'string' || values[name] === '')
  if (missing.length > 0) throw new UsageError(`missing ${missing.map((name) => `--${name}`).join(', ')}`)
  return values as Record<T, string>
}

function integer(name: string, value: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = /^(?:0|[1-9][0-9]*)$/.test(value) ? Number(value) : NaN
  if (!Number.isSafeInteger(number) || number > most) throw new UsageError(`${name} must be a whole number`)
  return number
}

function webAddress(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError(`${name} must be an http or https address`)
  return value.replace(/\/+$/, '')
}
