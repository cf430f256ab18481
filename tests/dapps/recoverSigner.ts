import { recoverPersonalSignature, recoverTypedSignature, SignTypedDataVersion } from '@metamask/eth-sig-util'
import { verifyMessage, verifyTypedData } from 'ethers'
import { hexToBytes, recoverMessageAddress, recoverTypedDataAddress, type Hex } from 'viem'
import { expect } from 'vitest'
import type { Asked } from './announcedWallet.js'

/** Who signed, as viem, ethers and MetaMask's library recover it from what the page asked for: all say the same. */
export async function recoverSigner({ method, params, result }: Asked): Promise<string> {
  const [first, second] = params as [string, string]
  const found =
    method === 'personal_sign' ? await ofMessage(first as Hex, result as Hex) : await ofData(second, result as Hex)
  const signers = new Set(found.map((address) => address.toLowerCase()))
  expect(signers.size).toBe(1)
  return [...signers][0] as string
}

async function ofMessage(raw: Hex, signature: Hex): Promise<string[]> {
  return [
    await recoverMessageAddress({ message: { raw }, signature }),
    verifyMessage(hexToBytes(raw), signature),
    recoverPersonalSignature({ data: raw, signature }),
  ]
}

async function ofData(text: string, signature: Hex): Promise<string[]> {
  const data = JSON.parse(text) as {
    types: Record<string, { name: string; type: string }[]>
    domain: Record<string, unknown>
  } & Record<string, never>
  const { EIP712Domain = [], ...types } = data.types
  // What the caller's EIP712Domain lists is what everyone hashes.
  const domain = Object.fromEntries(EIP712Domain.map(({ name }) => [name, data.domain[name]]))
  const used = { ...types }
  if (data['primaryType'] === ('Mail' as never)) delete used['Group'] // ethers refuses a type that nothing uses
  return [
    await recoverTypedDataAddress({
      ...data,
      domain: { ...domain, chainId: Number(domain['chainId']) },
      signature,
    } as never),
    verifyTypedData(domain, used, data['message'] as never, signature),
    recoverTypedSignature({ data: data as never, signature, version: SignTypedDataVersion.V4 }),
  ]
}
