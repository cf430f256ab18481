import { expect, test } from 'vitest'
import { gasLimits, measureGas } from '../bench/publishing/gas.js'
import { components, freshPublisher } from '../tests/harness/index.js'

test('one receipt costs at most 32,000 gas, and one of a batch of 32 at most 9,000', async () => {
  const { rpcUrl, contractAddress } = components()
  const gas = await measureGas({ rpcUrl, contractAddress, publisherKey: await freshPublisher() })
  console.log(`gas per receipt: ${gas.single} alone, ${gas.batchOf32} in a batch of 32`)
  expect(gas.single).toBeLessThanOrEqual(gasLimits.single)
  expect(gas.batchOf32).toBeLessThanOrEqual(gasLimits.batchOf32)
})
