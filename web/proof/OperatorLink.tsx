import { useEffect, useState } from 'react'
import { useConfig } from '../config/ConfigContext.js'
import { mayBeSignedIn } from '../config/signedIn.js'

interface OperatorProof {
  workflowId: string
  temporalUrl: string | null
}

/** A link to this proof's workflow in the Temporal UI. The service gives it to operators only. */
export function OperatorLink({ slug }: { slug: string }) {
  const { apiBaseUrl } = useConfig()
  const [answer, setAnswer] = useState<OperatorProof | null>(null)
  useEffect(() => {
    if (!mayBeSignedIn()) return // a stranger's page asks nothing
    const controller = new AbortController()
    askService(`${apiBaseUrl}/operator/proof/${encodeURIComponent(slug)}`, controller.signal).then(
      setAnswer,
      () => undefined, // no operator, or no service: nothing to show
    )
    return () => controller.abort()
  }, [apiBaseUrl, slug])
  if (!answer) return null
  return (
    <p className="fine">
      For operators:{' '}
      {answer.temporalUrl === null ? (
        <>
          workflow <code>{answer.workflowId}</code>
        </>
      ) : (
        <a href={answer.temporalUrl}>the workflow of this proof</a>
      )}
    </p>
  )
}

async function askService(url: string, signal: AbortSignal): Promise<OperatorProof | null> {
  const response = await fetch(url, { credentials: 'include', headers: { accept: 'application/json' }, signal })
  if (!response.ok) return null
  const { workflowId, temporalUrl } = (await response.json()) as OperatorProof
  // Only http and https addresses may become a link.
  return { workflowId, temporalUrl: /^https?:\/\//.test(temporalUrl ?? '') ? temporalUrl : null }
}
