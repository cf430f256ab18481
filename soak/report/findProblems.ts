import type { SoakResult } from '../SoakResult.js'

/** Everything in a result that breaks a promise, in words. */
export function findProblems(result: Omit<SoakResult, 'problems'>): string[] {
  const { options, load, recovery, rolling, backlog, check } = result
  const problems: string[] = []
  for (const [name, count] of Object.entries(check.counts)) {
    if (count > 0) problems.push(`${name}: ${count} (${check.examples[name]?.[0] ?? ''})`)
  }
  if (result.faults['not-back']) problems.push(`${result.faults['not-back']} times a process did not come back`)
  if (load.gaveUp > 0) problems.push(`${load.gaveUp} requests were never answered with a signature`)
  if (load.acknowledged < options.signatures) problems.push(`only ${load.acknowledged} signatures were acknowledged`)
  const tooLong = (ms: number | null): ms is number => ms !== null && ms > options.recoverySeconds * 1000
  for (const { component, maxMs, backMaxMs } of recovery) {
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    if (tooLong(maxMs)) problems.push(`after a kill of ${component} nothing was signed for ${seconds(maxMs)} s`)
    if (tooLong(backMaxMs)) problems.push(`a killed ${component} was back only after ${seconds(backMaxMs)} s`)
  }
  if (rolling && rolling.failed > 0) problems.push(`${rolling.failed} requests failed during rolling restarts`)
  if (backlog && backlog.waiting < options.backlog) problems.push(`only ${backlog.waiting} proofs waited for the chain`)
  if (backlog && backlog.drainSeconds === null) problems.push('the backlog did not drain')
  return problems
}
