export { parseAttestationMode, type AttestationMode } from './attestationMode.js'
export { parseEntropyTrust } from './entropyTrust.js'
export { ConfigError, EnvReader, type Env } from './EnvReader.js'
export { UsageError } from './UsageError.js'
