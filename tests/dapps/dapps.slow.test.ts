import { afterAll, beforeAll } from 'vitest'
import { parseEther } from 'viem'
import { startInMemoryService, type InMemoryService } from '@perigee/sdk/testing'
import { describeInChromium } from '../harness/browser/chromium.js'
import { describeExamples } from './describeExamples.js'

let service: InMemoryService
beforeAll(async () => {
  service = await startInMemoryService()
})
afterAll(() => service.close())

const backend = () => ({
  apiUrl: service.url,
  rpcUrl: service.rpcUrl,
  fund: async (address: string) => service.setBalance(address, parseEther('10')),
})

describeInChromium('the examples on the service in memory', (browser) => {
  describeExamples(browser, backend)
})
