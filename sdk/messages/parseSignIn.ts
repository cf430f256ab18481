import { getAddress } from 'viem'
import type { Hex, SignIn } from '../types.js'
import { refuse as refuseWith } from './MessageError.js'

// As strict as core/message, written again because the published package may not import core. Tests compare them.

const phrase = ' wants you to sign in with your Ethereum account:'
// RFC 3986: a scheme; a host with user and port, if it starts with two slashes; path, query and fragment.
const letter = "(?:[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})"
const host = `(?:\\[[0-9A-Fa-f:.]+\\]|${letter}*)`
const authority = `//(?:(?:${letter}|:)*@)?${host}(?::[0-9]*)?`
const segment = `(?:${letter}|[:@])`
const path = `(?:${authority}(?:/${segment}*)*|/?(?:${segment}+(?:/${segment}*)*)?)`
const patterns = {
  head: /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/)?([A-Za-z0-9.-]+(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](?::[0-9]{1,5})?)$/,
  address: /^0x[0-9a-fA-F]{40}$/,
  statement: /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/,
  uri: new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:${path}(?:[?](?:${segment}|[/?])*)?(?:#(?:${segment}|[/?])*)?$`),
  chainId: /^[0-9]{1,20}$/,
  nonce: /^[A-Za-z0-9]{8,}$/,
  time: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/,
  requestId: /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*$/,
}

/** True for every text that a person or a lenient program could take for a sign-in message. */
export function looksLikeSignIn(text: string): boolean {
  const plain = text
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .toLowerCase()
  return plain.includes(phrase.slice(1, -1).toLowerCase())
}

/** Reads a sign-in message, or throws `sign_in_malformed`: also where two programs could read it differently. */
export function parseSignIn(text: string): SignIn {
  const { next, blank, field, optional, rest } = createReader(text)
  const head = next()
  if (!head.endsWith(phrase)) refuse('the first line is not that of a sign-in message')
  const [, scheme = null, domain = ''] = patterns.head.exec(head.slice(0, -phrase.length)) ?? refuse('no domain')
  const address = match('the address', patterns.address, next()) as Hex
  if (getAddress(address) !== address) refuse('the address is not spelled as EIP-55 asks')
  blank()
  const line = next()
  const statement = line === '' ? null : match('the statement', patterns.statement, line)
  if (statement !== null) blank()
  const uri = field('URI', patterns.uri)
  field('Version', /^1$/)
  return {
    scheme,
    domain,
    address,
    statement,
    uri,
    chainId: field('Chain ID', patterns.chainId),
    nonce: field('Nonce', patterns.nonce),
    issuedAt: field('Issued At', patterns.time),
    expirationTime: optional('Expiration Time', patterns.time),
    notBefore: optional('Not Before', patterns.time),
    requestId: optional('Request ID', patterns.requestId),
    resources: parseResources(rest()),
  }
}

function createReader(text: string) {
  const lines = text.split('\n')
  let at = 0
  const next = () => lines[at++] ?? refuse('the message ends too early')
  const field = (label: string, pattern: RegExp) => {
    const line = next()
    if (!line.startsWith(`${label}: `)) refuse(`${label} is expected`)
    return match(label, pattern, line.slice(label.length + 2))
  }
  return {
    next,
    field,
    blank: () => void (next() === '' || refuse('an empty line is expected')),
    optional: (label: string, pattern: RegExp) => (lines[at]?.startsWith(`${label}: `) ? field(label, pattern) : null),
    rest: () => lines.slice(at),
  }
}

function parseResources([title, ...lines]: string[]): string[] {
  if (title === undefined) return []
  if (title !== 'Resources:') refuse('there is more than a sign-in message has')
  return lines.map((line) => {
    if (!line.startsWith('- ')) refuse('a resource starts with “- ”')
    return match('a resource', patterns.uri, line.slice(2))
  })
}

function match(what: string, pattern: RegExp, value: string): string {
  if (!pattern.test(value)) refuse(`${what} has another form`)
  if (pattern === patterns.time && Number.isNaN(Date.parse(value))) refuse(`${what} is not a time`)
  return value
}

function refuse(message: string): never {
  return refuseWith('sign_in_malformed', `not a strict EIP-4361 message: ${message}`)
}
