export {
  createEip1193Provider,
  type Eip1193Options,
  type Eip1193Provider,
  type RequestArguments,
} from './createEip1193Provider.js'
export { ProviderRpcError } from './ProviderRpcError.js'
