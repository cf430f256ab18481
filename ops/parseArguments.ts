import { parseArgs } from 'node:util'
import { slugsLast } from '@perigee/core'
import { UsageError } from './UsageError.js'

export type Command =
  | { name: 'help' }
  | { name: 'stuck'; overdueSeconds: number; abandoned: boolean }
  | { name: 'retry'; target: { slug: string } | { all: true; code: string | null }; operator: string; reason: string }
  | { name: 'abandon'; slug: string; operator: string; reason: string }
  | { name: 'publisher' }
  | { name: 'audit'; parts: AuditPart[] }

export const auditParts = ['records', 'events', 'publishers', 'wallets'] as const
export type AuditPart = (typeof auditParts)[number]

export interface Arguments {
  command: Command
  json: boolean
  /** Read addresses from the local stack's file. */
  stack: string | null
}

const options = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  stack: { type: 'string' },
  operator: { type: 'string' },
  reason: { type: 'string' },
  all: { type: 'boolean' },
  code: { type: 'string' },
  overdue: { type: 'string' },
  abandoned: { type: 'boolean' },
  only: { type: 'string', multiple: true },
} as const

type Values = ReturnType<typeof parse>['values']

/** Which options go with which command; any other is a mistake, not something to be silently ignored. */
const allowed: Record<string, (keyof typeof options)[]> = {
  stuck: ['overdue', 'abandoned'],
  retry: ['operator', 'reason', 'all', 'code'],
  abandon: ['operator', 'reason'],
  publisher: [],
  audit: ['only'],
}

/** Takes the words after the program's name; `operator` is who works here when no option says it. */
export function parseArguments(args: readonly string[], operator: string): Arguments {
  const { values, positionals } = parse(args)
  const [name = '', ...rest] = positionals
  const common = { json: values.json ?? false, stack: values.stack ?? null }
  if (values.help || name === 'help') return { command: { name: 'help' }, ...common }
  const fitting = allowed[name]
  if (!fitting) throw new UsageError(name ? `there is no command ${name}` : 'say what to do')
  for (const option of Object.keys(values) as (keyof typeof options)[]) {
    if (!['json', 'stack', ...fitting].includes(option)) throw new UsageError(`${name} takes no --${option}`)
  }
  const slugs = name === 'abandon' || (name === 'retry' && !values.all) ? 1 : 0
  if (rest.length !== slugs)
    throw new UsageError(slugs ? `${name} takes one slug` : `${name} takes no ${rest.join(' ')}`)
  return { command: toCommand(name, rest[0] ?? '', values, operator), ...common }
}

function toCommand(name: string, slug: string, values: Values, operator: string): Command {
  switch (name) {
    case 'stuck':
      return { name, overdueSeconds: parseMinutes(values.overdue ?? '60') * 60, abandoned: values.abandoned ?? false }
    case 'retry': {
      const target = values.all ? { all: true as const, code: values.code ?? null } : { slug }
      if (values.code && !values.all) throw new UsageError('--code goes with --all')
      return { name, target, ...whoAndWhy(values, operator) }
    }
    case 'abandon':
      return { name, slug, ...whoAndWhy(values, operator) }
    case 'publisher':
      return { name }
    default:
      return { name: 'audit', parts: parseParts(values.only) }
  }
}

function whoAndWhy(values: Values, known: string): { operator: string; reason: string } {
  const [operator, reason] = [values.operator ?? known, values.reason ?? '']
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(operator)) {
    throw new UsageError('say who you are: --operator <handle> or PERIGEE_OPERATOR (letters, digits, . _ -)')
  }
  if (reason.trim() === '' || reason.length > 500)
    throw new UsageError('say why: --reason "…" (at most 500 characters)')
  return { operator, reason: reason.trim() }
}

function parseMinutes(text: string): number {
  if (!/^[0-9]{1,7}$/.test(text)) throw new UsageError('--overdue takes minutes')
  return Number(text)
}

function parseParts(only: string[] | undefined): AuditPart[] {
  if (!only) return [...auditParts]
  const unknown = only.filter((part) => !(auditParts as readonly string[]).includes(part))
  if (unknown.length > 0) throw new UsageError(`--only takes ${auditParts.join(', ')}`)
  return auditParts.filter((part) => only.includes(part))
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: slugsLast(args), options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'these arguments cannot be read')
  }
}
