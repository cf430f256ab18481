export {
  startInMemoryService,
  type Fault,
  type InMemoryService,
  type InMemoryServiceOptions,
} from './startInMemoryService.js'
export { fundedClient, testClient } from './testClient.js'
export type { Publishing } from './createProofs.js'
