import type { Allowance, Hex, KnownTypedData, TypedData } from '../types.js'

type Values = Record<string, unknown>

interface Found {
  known: KnownTypedData | null
  allowances: Allowance[]
}

/**
 * What the typed data lets others take, for the forms that most thefts by signature use: EIP-2612, DAI's own permit and
 * Permit2. Nothing for everything else, which may let them take just as much.
 */
export function findAllowances({ types, primaryType, domain, message }: TypedData): Found {
  const has = (...names: string[]) => names.every((name) => types[primaryType]?.some((member) => member.name === name))
  const token = domain.verifyingContract ?? null
  if (primaryType === 'Permit' && has('owner', 'spender', 'value', 'deadline')) {
    const { spender, value, deadline } = message
    return { known: 'permit', allowances: [allowance(token, spender, value, deadline)] }
  }
  if (primaryType === 'Permit' && has('holder', 'spender', 'expiry', 'allowed')) {
    const amount = message['allowed'] === true ? String(maxOf(256)) : '0'
    const expiry = message['expiry'] === '0' ? String(maxOf(256)) : message['expiry'] // DAI's word for "never"
    return { known: 'dai-permit', allowances: [allowance(token, message['spender'], amount, expiry)] }
  }
  if (domain.name === 'Permit2' && has('spender')) return permit2(message)
  return { known: null, allowances: [] }
}

/** `details` is an allowance that lasts, `permitted` one transfer; each is one or a list. */
function permit2(message: Values): Found {
  const { spender, deadline, details, permitted } = message
  const list = (value: unknown) => (Array.isArray(value) ? value : [value]) as Values[]
  if (details !== undefined) {
    const allowances = list(details).map((one) => allowance(one['token'], spender, one['amount'], one['expiration']))
    return { known: 'permit2-allowance', allowances }
  }
  if (permitted === undefined) return { known: null, allowances: [] }
  const allowances = list(permitted).map((one) => allowance(one['token'], spender, one['amount'], deadline))
  return { known: 'permit2-transfer', allowances }
}

/** As much as no balance ever is counts as all of it: wallets and tokens use the maxima of several sizes for "unlimited". */
const unlimitedFrom = maxOf(96)
/** The year 2286; what is later is a way of writing "never". */
const neverFrom = 10n ** 10n

function allowance(token: unknown, spender: unknown, amount: unknown, expires: unknown): Allowance {
  const seconds = typeof expires === 'string' && /^\d+$/.test(expires) ? BigInt(expires) : neverFrom
  return {
    token: typeof token === 'string' ? (token as Hex) : null,
    spender: String(spender) as Hex,
    amount: String(amount),
    isUnlimited: /^\d+$/.test(String(amount)) && BigInt(String(amount)) >= unlimitedFrom,
    expires: seconds < neverFrom ? new Date(Number(seconds) * 1000).toISOString() : null,
  }
}

function maxOf(bits: number): bigint {
  return (1n << BigInt(bits)) - 1n
}
