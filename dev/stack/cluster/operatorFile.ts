import type { StackTemporal } from '../stackTemporal.js'

/**
 * Variables that open the cluster as an operator: `set -a; . .perigee/cluster/operator.env`. The Temporal CLI has names of
 * its own for the certificates; `npm test` and our programs use ours.
 */
export function operatorFile({ temporalAddress, namespace, temporalAccess }: StackTemporal): string {
  const variables = {
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    ...temporalAccess,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: temporalAccess['TEMPORAL_TLS_CA'],
    TEMPORAL_TLS_CLIENT_CERT_PATH: temporalAccess['TEMPORAL_TLS_CERT'],
    TEMPORAL_TLS_CLIENT_KEY_PATH: temporalAccess['TEMPORAL_TLS_KEY'],
  }
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')
}
