import { SignTypedDataVersion, TypedDataUtils } from '@metamask/eth-sig-util'
import { bytesToHex } from 'viem'
import { expect, test } from 'vitest'
import { mail } from '../../core/message/testing/typedData.js'
import { parseTyped } from './parseMessage.js'

// A domain with every member, and an EIP712Domain that lists all but one of them.
const domain = {
  name: 'App',
  version: '1',
  chainId: '1',
  verifyingContract: `0x${'11'.repeat(20)}`,
  salt: `0x${'22'.repeat(32)}`,
}
const types = { name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address', salt: 'bytes32' }
function unlisted(left: string) {
  const members = Object.entries(types).map(([name, type]) => ({ name, type }))
  const EIP712Domain = members.filter(({ name }) => name !== left)
  return { ...mail, domain, types: { EIP712Domain, ...mail.types } }
}

test('a version that EIP712Domain does not list is left out, as MetaMask does', () => {
  const asSent = unlisted('version')
  const { digest, message } = parseTyped(asSent)
  expect(digest).toBe(bytesToHex(TypedDataUtils.eip712Hash(asSent as never, SignTypedDataVersion.V4)))
  const { version: _, ...signed } = domain
  expect(message).toMatchObject({ typedData: { domain: signed } })
  expect(message).not.toHaveProperty('typedData.domain.version')
})

test.each(['name', 'chainId', 'verifyingContract', 'salt'])('%s is never left out, but refused', (left) => {
  expect(() => parseTyped(unlisted(left))).toThrowError(expect.objectContaining({ code: 'typed_data_domain' }))
})
