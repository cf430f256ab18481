import type { MessageReceiptV1 } from '@perigee/core/receipt'
import type { AttestationReceiptV1, BirthReceiptV1 } from '@perigee/sdk'
import { Component, type ReactNode } from 'react'
import { Facts } from '../../components/Facts.js'
import { birthFacts } from './birthFacts.js'
import { messageFacts } from './messageFacts.js'
import { proofFacts } from './proofFacts.js'
import type { Fact } from './sharedFacts.js'
import type { ShownProof } from '../ShownProof.js'
import { StandingChip } from '../StandingChip.js'

/** Who made what, when, where, on which hardware, with which randomness, and whose word that is. */
export function ReceiptFacts({ proof }: { proof: ShownProof }) {
  return (
    <section className="card" aria-labelledby="facts-title">
      <div className="spread">
        <h2 id="facts-title">What the receipt says</h2>
        <StandingChip standing={proof.standing} />
      </div>
      <Readable key={JSON.stringify(proof)}>
        <FactList proof={proof} />
      </Readable>
    </section>
  )
}

function FactList({ proof }: { proof: ShownProof }) {
  const { kind, checkedByService } = proof
  const facts = factsOf(proof)
  if (checkedByService === null) return <Facts facts={facts} />
  const checked = checkedByService
    ? `Yes: it verified the hardware’s quote before it released the ${kind === 'birth' ? 'wallet' : 'signature'}.`
    : 'No: the service does not claim to have verified the hardware’s quote.'
  return <Facts facts={[...facts, ['Checked by the service', checked]]} />
}

function factsOf(proof: ShownProof): Fact[] {
  const { kind, receipt } = proof
  if (kind === 'birth') return birthFacts(proof, receipt as BirthReceiptV1 | null)
  if (kind === 'message') return messageFacts(proof, receipt as MessageReceiptV1 | null)
  return proofFacts(proof, receipt as AttestationReceiptV1 | null)
}

/** What the service sends may have any shape. What cannot be shown says so, and the rest of the page stays. */
class Readable extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    if (!this.state.failed) return this.props.children
    return <p role="alert">The service’s answer is not a receipt and cannot be shown.</p>
  }
}
