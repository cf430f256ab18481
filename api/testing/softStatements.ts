import { createRequestKey } from '../../clients/snp/createRequestKey.js'
import { uncheckedRequest } from '../../tests/rigs/uncheckedRequest.js'
import { createStatements } from '../authority/createStatements.js'

/** Statements that are truly signed, by a key that no hardware vouches for: the soft signer checks them. */
export function softStatements() {
  const key = createRequestKey()
  const { coordinator } = uncheckedRequest()
  const identity = { ...coordinator.identity, requestKey: key.publicKey }
  const attestation = { ...coordinator, identity, simulated: true, measurement: `0x${'00'.repeat(48)}` as const }
  return createStatements({ current: () => Promise.resolve(attestation) }, key)
}
