import { isAddress, isHex, recoverMessageAddress } from 'viem'
import type { Hex, SignableMessage, TypedDataInput } from '../types.js'
import { ProviderRpcError } from './ProviderRpcError.js'

export const isAccount = (value: unknown): value is Hex =>
  typeof value === 'string' && isAddress(value, { strict: false })

/** `personal_sign`: message, then account. Some applications swap them; a message that is an address itself stays one. */
export function messageParams([first, second]: readonly unknown[]): { message: SignableMessage; account: unknown } {
  const [message, account] = isAccount(first) && !isAccount(second) ? [second, first] : [first, second]
  if (typeof message !== 'string' || account === undefined) throw missing('a message and an account')
  return { message: toMessage(message), account }
}

/** `eth_signTypedData_v4`: account, then typed data as JSON or as an object. Some applications swap them. */
export function typedDataParams([first, second]: readonly unknown[]) {
  const [account, typedData] = isAccount(second) ? [second, first] : [first, second]
  if (account === undefined || (typeof typedData !== 'string' && !isObject(typedData))) {
    throw missing('an account and typed data')
  }
  return { account, typedData: typedData as TypedDataInput | string, chainId: chainIdOf(typedData) }
}

/** The chain that typed data is for. Undefined without one, and where it cannot be read: parsing refuses that later. */
function chainIdOf(typedData: unknown): number | undefined {
  try {
    const { domain } = Object(typeof typedData === 'string' ? JSON.parse(typedData) : typedData) as TypedDataInput
    return Number(domain?.chainId) || undefined
  } catch {
    return undefined
  }
}

/** `personal_ecRecover`: who signed this message. */
export async function recoverPersonal([message, signature]: readonly unknown[]): Promise<Hex> {
  if (typeof message !== 'string' || !isHex(signature) || signature.length !== 132) {
    throw missing('a message and a signature of 65 bytes')
  }
  return recoverMessageAddress({ message: toMessage(message), signature })
}

/** Hex of whole bytes stands for these bytes, as in every wallet; everything else is text. */
function toMessage(message: string): SignableMessage {
  return /^0x(?:[0-9a-f]{2})*$/i.test(message) ? { raw: message as Hex } : message
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

const missing = (what: string) => new ProviderRpcError(-32602, `The parameters are ${what}.`)
