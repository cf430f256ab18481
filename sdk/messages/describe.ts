import type { Hex, MessageView, SignIn, TypedData, ViewNode, ViewWarning } from '../types.js'
import { findAllowances } from './findAllowances.js'
import type { ParsedMessage } from './parseMessage.js'
import { arrayOf } from './typeNames.js'

/** Who signs, and where. `origin` is unknown outside of a browser. */
export interface Circumstances {
  address: Hex
  chainId: number
  origin: string | undefined
}

/** What is to be signed, in words and fields that a person can judge. */
export function describe({ message, text, signIn }: ParsedMessage, where: Circumstances): MessageView {
  if (message.scheme === 'eip712') return describeTyped(message.typedData, where)
  const bytes = message.message
  if (signIn) return { kind: 'sign-in', text: text as string, bytes, signIn, warnings: signInWarnings(signIn, where) }
  const warnings = text === null ? [warn('not_text', 'These bytes are no text: nobody can read them.')] : hidden(text)
  return { kind: 'message', text, bytes, warnings }
}

function signInWarnings({ scheme, domain, chainId, expirationTime, notBefore }: SignIn, where: Circumstances) {
  const warnings: ViewWarning[] = []
  const [protocol, host] = where.origin?.split('://') ?? []
  const isSame = host === domain.toLowerCase() && (scheme === null || scheme.toLowerCase() === protocol)
  if (host !== undefined && !isSame) {
    warnings.push(warn('other_site', `This signs in at ${domain}, not at ${host}, which asks for it.`))
  }
  if (chainId !== String(where.chainId)) {
    warnings.push(warn('other_chain', `The message is for chain ${chainId}; this wallet is on ${where.chainId}.`))
  }
  if (expirationTime !== null && Date.parse(expirationTime) <= Date.now()) {
    warnings.push(warn('expired', `The message expired at ${expirationTime}.`))
  }
  if (notBefore !== null && Date.parse(notBefore) > Date.now()) {
    warnings.push(warn('not_yet_valid', `The message is not valid before ${notBefore}.`))
  }
  return warnings
}

function describeTyped(typedData: TypedData, where: Circumstances): MessageView {
  const { domain, primaryType, message, types } = typedData
  const { known, allowances } = findAllowances(typedData)
  const warnings = hidden(JSON.stringify([domain, message]))
  if (domain.chainId === undefined) {
    warnings.push(warn('any_chain', 'No chain is named: the signature counts on every chain.'))
  } else if (domain.chainId !== String(where.chainId)) {
    warnings.push(warn('other_chain', `This is for chain ${domain.chainId}; this wallet is on ${where.chainId}.`))
  }
  for (const { spender, isUnlimited, expires } of allowances) {
    if (isUnlimited) warnings.push(warn('allowance_unlimited', `${spender} may take all of it, also what comes later.`))
    if (expires === null) warnings.push(warn('allowance_forever', `The allowance for ${spender} never expires.`))
  }
  const tree = treeOf(primaryType, message, types)
  return { kind: 'typed-data', typedData, domain, primaryType, tree, known, allowances, warnings }
}

/** The members in the order of their type, each with its own members or items. */
function treeOf(struct: string, value: Record<string, unknown>, types: TypedData['types']): ViewNode[] {
  return (types[struct] ?? []).map(({ name, type }) => nodeOf(name, type, value[name], types))
}

function nodeOf(name: string, type: string, value: unknown, types: TypedData['types']): ViewNode {
  const array = arrayOf(type)
  if (array) {
    const children = (value as unknown[]).map((item, i) => nodeOf(String(i), array.item, item, types))
    return { name, type, value: null, children }
  }
  if (Object.hasOwn(types, type)) {
    return { name, type, value: null, children: treeOf(type, value as Record<string, unknown>, types) }
  }
  return { name, type, value: value as string | boolean, children: [] }
}

/** Some characters do not show, or turn the rest of a line around. Lines and tabs are fine. */
function hidden(text: string): ViewWarning[] {
  if (!/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u.test(text)) return []
  return [warn('hidden_characters', 'Some characters do not show: this may say something else than it seems to.')]
}

const warn = (code: ViewWarning['code'], message: string): ViewWarning => ({ code, message })
