export { parseEntropyTrust } from './entropyTrust.js'
export { ConfigError, EnvReader, type Env } from './EnvReader.js'
export { parseFormerContracts, type DeployedContract } from './formerContracts.js'
export { parseAttestationMode, parseHardwareTrust, type AttestationMode, type HardwareTrust } from './hardwareTrust.js'
export { refuseWeakSecrets } from './refuseWeakSecrets.js'
export { slugsLast } from './slugsLast.js'
export { UsageError } from './UsageError.js'
export {
  isLoopback,
  parseIdentityProviders,
  parseOperators,
  parseOrigin,
  type IdentityProviderConfig,
  type OperatorIdentity,
} from './identityProviders.js'
export { harmless, harmlessJson } from './harmless.js'
