import type { ProofPayload } from '@perigee/sdk'
import { useConfig } from '../config/ConfigContext.js'

/** Into the Temporal UI at this proof's workflow, where the deployment says its visitors are operators. */
export function OperatorLink({ proof }: { proof: ProofPayload }) {
  const { temporalUiUrl, temporalNamespace } = useConfig()
  if (temporalUiUrl === null) return null
  const workflow = encodeURIComponent(`receipt/${proof.slug}`)
  return (
    <p className="fine">
      For operators:{' '}
      <a href={`${temporalUiUrl}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows/${workflow}`}>
        the workflow of this proof
      </a>
    </p>
  )
}
