import type { StepResult } from '@perigee/core/receipt/verify'

const words = { pass: 'PASS', fail: 'FAIL', skip: 'SKIP', unchecked: 'NOT CHECKED' } as const
const tones = { pass: 'good', fail: 'bad', skip: 'busy', unchecked: 'busy' } as const
const outcomeOf = (step: StepResult) => (step.unchecked ? 'unchecked' : step.status)

/** One line for each check; open it to see what was compared. */
export function StepList({ steps }: { steps: readonly StepResult[] }) {
  if (steps.length === 0) return null
  return (
    <ol className="list ruled checks" aria-label="Checks">
      {steps.map((step) => (
        <li key={step.step}>
          <details open={step.status === 'fail'}>
            <summary>
              <span className={`chip ${tones[outcomeOf(step)]}`}>{words[outcomeOf(step)]}</span> {step.title}
            </summary>
            <p>{step.detail}</p>
            {step.facts && Object.keys(step.facts).length > 0 && (
              <ul className="fine">
                {Object.entries(step.facts).map(([name, value]) => (
                  <li key={name}>
                    {name}: <code>{String(value)}</code>
                  </li>
                ))}
              </ul>
            )}
            {step.code && (
              <p className="fine">
                Code <code>{step.code}</code>
              </p>
            )}
          </details>
        </li>
      ))}
    </ol>
  )
}
