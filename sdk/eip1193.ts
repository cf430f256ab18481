export {
  createEip1193Provider,
  ProviderRpcError,
  type Eip1193Options,
  type Eip1193Provider,
  type RequestArguments,
} from './adapters/createEip1193Provider.js'
export { announceProvider, type ProviderInfo } from './adapters/announceProvider.js'
