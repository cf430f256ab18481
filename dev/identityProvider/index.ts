export { loadState, type IdentityProviderState } from './loadState.js'
export {
  startIdentityProvider,
  type IdentityProviderOptions,
  type RunningIdentityProvider,
} from './startIdentityProvider.js'
