import type { TypedData } from '../typedData/TypedData.js'

/** The example of EIP-712 itself. */
export const mail: TypedData = {
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: '1',
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

/** Permit2, and every kind of member that EIP-712 has. */
export const permit: TypedData = {
  types: {
    PermitBatch: [
      { name: 'details', type: 'Details[]' },
      { name: 'spender', type: 'address' },
      { name: 'deadline', type: 'uint256' },
      { name: 'change', type: 'int64' },
      { name: 'grid', type: 'uint8[2][]' },
      { name: 'final', type: 'bool' },
      { name: 'tag', type: 'bytes4' },
      { name: 'note', type: 'bytes' },
    ],
    Details: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint160' },
      { name: 'memo', type: 'string' },
    ],
  },
  primaryType: 'PermitBatch',
  domain: { name: 'Permit2', chainId: '31337', verifyingContract: `0x${'2'.repeat(40)}`, salt: `0x${'5a'.repeat(32)}` },
  message: {
    details: [
      { token: `0x${'a'.repeat(40)}`, amount: '1000000', memo: 'one' },
      { token: `0x${'b'.repeat(40)}`, amount: '0', memo: 'zwei 🚀' },
    ],
    spender: `0x${'c'.repeat(40)}`,
    deadline: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    change: '-9223372036854775808',
    grid: [
      ['1', '2'],
      ['3', '255'],
    ],
    final: false,
    tag: '0xdeadbeef',
    note: '0x00ff',
  },
}

/** viem leaves a chain id that is a string out of the domain's type, so it is given a bigint. */
export function forViem(typedData: unknown): never {
  const copy = structuredClone(typedData) as { domain?: { chainId?: unknown } | null } | null
  const chainId = copy?.domain?.chainId
  if (copy?.domain && typeof chainId === 'string' && /^[0-9]+$/.test(chainId)) copy.domain.chainId = BigInt(chainId)
  return copy as never
}
