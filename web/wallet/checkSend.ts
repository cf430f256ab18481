import type { Hex, SignRequest } from '@perigee/sdk'
import { isAddress } from 'viem'

export interface SendErrors {
  to?: string | undefined
  amount?: string | undefined
  data?: string | undefined
}

export interface CheckedSend {
  errors: SendErrors
  request?: SignRequest
  wei: bigint
}

/** Turns what was typed into a request, or says per field what to change. */
export function checkSend(form: { to: string; amount: string; data: string }, balance: bigint | null): CheckedSend {
  const errors: SendErrors = {}
  const to = form.to.trim()
  const data = form.data.trim() || '0x'
  const amount = form.amount.trim() || (data === '0x' ? '' : '0') // a call of a contract needs no amount
  if (!/^0x[0-9a-fA-F]{40}$/.test(to)) errors.to = 'An address is 0x followed by 40 hex digits.'
  else if (!isAddress(to)) errors.to = 'Its capital letters do not fit its digits (EIP-55): a character is wrong.'
  const wei = parseWei(amount)
  if (wei === null) errors.amount = 'Write an amount such as 0.01, with at most 18 decimals.'
  else if (balance !== null && wei > balance) errors.amount = 'That is more than the wallet holds.'
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(data)) errors.data = 'Data is 0x followed by pairs of hex digits.'
  if (Object.keys(errors).length > 0 || wei === null) return { errors, wei: 0n }
  const request: SignRequest = { to: to as Hex, value: wei }
  if (data !== '0x') Object.assign(request, { data: data as Hex, gas: 'estimate' })
  return { errors, request, wei }
}

function parseWei(ether: string): bigint | null {
  const match = /^(\d+)(?:\.(\d{0,18}))?$/.exec(ether)
  return match ? BigInt(`${match[1]}${(match[2] ?? '').padEnd(18, '0')}`) : null
}
