import type { EnvReader } from './EnvReader.js'

/** Real hardware, or the simulated platforms with the folder that holds their development PKI. */
export type AttestationMode = { simulated: false } | { simulated: true; simulationDir: string }

/**
 * `MOCK_ATTESTATION=true` selects the simulated platforms. In production that needs a second, explicit variable, so
 * that a forgotten development setting cannot produce a deployment that only looks attested.
 */
export function parseAttestationMode(env: EnvReader): AttestationMode {
  const simulated = env.flag('MOCK_ATTESTATION')
  const declared = env.flag('PERIGEE_SIMULATED_DEPLOYMENT')
  if (!simulated) return { simulated: false }
  if (env.text('NODE_ENV', 'development') === 'production' && !declared) {
    env.problem(
      'MOCK_ATTESTATION=true is refused in production, unless PERIGEE_SIMULATED_DEPLOYMENT=true says that this deployment is a simulation',
    )
  }
  return { simulated: true, simulationDir: env.text('SIMULATION_DIR') }
}
