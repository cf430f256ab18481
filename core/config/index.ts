export { parseAttestationMode, type AttestationMode } from './attestationMode.js'
export { ConfigError, EnvReader, type Env } from './EnvReader.js'
