import { stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { parseAnyReceipt } from '../../core/receipt/index.js'
import { fundedClient, startInMemoryService } from './index.js'

test('receipts have the form of a real one, so that pages can be tried with them', async () => {
  const service = await startInMemoryService({ publishing: 'manual' })
  const { client, wallet } = await fundedClient(service)
  const { attestationSlug } = await client.signAndSend({ to: wallet.address })
  const body = { scheme: 'eip191', message: stringToHex('hello'), salt: `0x${'5a'.repeat(32)}` } as const
  const { slug } = await client.api.signMessage(body)
  for (const one of [attestationSlug, slug]) {
    await service.complete(one)
    const { ipfsUrl, txHash } = await client.api.getProof(one)
    const bytes = new Uint8Array(await (await fetch(ipfsUrl!)).arrayBuffer())
    const receipt = parseAnyReceipt(bytes)
    const named = receipt.version === 'perigee-receipt/1' ? receipt.transaction.txHash : txHash
    expect({ simulated: receipt.simulated, named }).toEqual({ simulated: true, named: txHash })
  }
  await service.close()
})
