import { remedyFor, type ProofProgress, type Remedy } from '@perigee/core/workflow'
import type { StepFailure } from '../failures.js'

/** Current details for the Temporal UI (Markdown): which proof, what it is doing, since when; if stuck, why, and what to do. */
export function describeProof(
  progress: ProofProgress,
  about: string,
  doing: string,
  failure: StepFailure | null = null,
): string {
  const { slug, status, since, ipfsCid, onchainTxHash, onchainBlockNumber } = progress
  const lines = [
    `**${status}** since ${since}: ${doing}`,
    `Proof \`${slug}\` of ${about}`,
    ipfsCid && `Receipt \`${ipfsCid}\``,
    onchainTxHash && `Event in \`${onchainTxHash}\`, block ${onchainBlockNumber}`,
    failure && `Last error \`${failure.code}\`: ${failure.message}`,
    failure && `What to do: ${remedyText(slug, remedyFor(failure.code))}`,
  ]
  return lines.filter(Boolean).join('\n\n')
}

/** A command and no Update by hand: the UI cannot encrypt one for this workflow, and the worker refuses plain ones. */
function remedyText(slug: string, { first, then }: Remedy): string {
  const command = `\`npm run ops -- ${then} ${slug} --operator … --reason …\``
  return `${first}, then run ${command} (\`retry\` and \`abandon\` take the same options). temporal/RUNBOOK.md says how to do it without codec keys.`
}
