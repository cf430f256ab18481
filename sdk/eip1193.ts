export {
  createEip1193Provider,
  type Eip1193Options,
  type Eip1193Provider,
  type RequestArguments,
} from './adapters/createEip1193Provider.js'
export type { ExtraChain } from './adapters/createChains.js'
export { ProviderRpcError } from './adapters/ProviderRpcError.js'
export { announceProvider, type ProviderInfo } from './adapters/announceProvider.js'
