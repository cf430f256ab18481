import { stepsOf, type StepState } from './stepsOf.js'

const marks: Record<StepState, string> = { done: '✓', active: '', waiting: '', failed: '!' }
const words: Record<StepState, string> = { done: 'done', active: 'in progress', waiting: 'waiting', failed: 'failed' }

/** Where a proof stands, from signature to chain. Always the same number of lines, so nothing jumps. */
export function Timeline({ proof }: { proof: Parameters<typeof stepsOf>[0] }) {
  return (
    <ol className="list">
      {stepsOf(proof).map(({ title, detail, state }) => (
        <li key={title} className={`step step-${state}`} aria-current={state === 'active' ? 'step' : undefined}>
          <span className="step-mark" aria-hidden="true">
            {marks[state]}
          </span>
          <div>
            <p className="step-title">
              {title} <span className="visually-hidden">({words[state]})</span>
            </p>
            <p className="step-detail">{detail}</p>
          </div>
        </li>
      ))}
    </ol>
  )
}
