import { subjectOf } from '../subjectOf.js'
import { isoTime } from './evidence.js'
import { firstEvent, timesApart, verificationTime } from './verificationTime.js'
import type { Explanation, StepName, StepResult, Work } from './types.js'

/** In plain words, and only what the steps have shown. */
export function explain(work: Work, steps: readonly StepResult[]): Explanation {
  const shown = (name: StepName, words: (step: StepResult) => string) => {
    const step = steps.find((one) => one.step === name)
    if (step?.status === 'pass') return words(step)
    return `not shown: the step ${name} ${step?.status === 'skip' ? 'was skipped' : `failed (${step?.code})`}`
  }
  const isBirth = work.receipt?.version === 'perigee-birth/1'
  return {
    keeper: shown('measurements', () => keeperOf(work)),
    ...(!isBirth && { birth: shown('birth', birthOf) }),
    list: shown('release_list', () => listOf(work)),
    time: timeOf(work),
  }
}

const birthOf = ({ detail }: StepResult) => `The key was made in an enclave before it signed. Its birth: ${detail}.`

function keeperOf({ enclaveBuild: build, releaseInForce: list }: Work): string {
  const service = `key service ${build?.keyProvider.name} ${build?.keyProvider.id}`
  return `The enclave got its sealing key from the ${service}, under app id ${build?.appId}. List ${list?.release.version} names both for the build “${build?.name}”.`
}

function listOf({ releaseInForce: list }: Work): string {
  return `List ${list?.release.version} of builds, SHA-256 ${list?.sha256} (${list?.cid}), was in force from block ${list?.fromBlock} on, announced by ${list?.contract}. The receipt’s event is in that block or a later one.`
}

function timeOf(work: Work): string {
  const { receipt } = work
  if (receipt === undefined) return 'not shown: the receipt could not be read'
  const { madeAt, what } = subjectOf(receipt)
  const blockTime = firstEvent(work)?.blockTimestamp ?? null
  const { asOf, witness } = verificationTime(work)
  return [
    `By the enclave’s clock, which its host can set, the ${what} was made ${isoTime(madeAt)}.`,
    blockTime === null
      ? 'No event gives it a block, so nobody else saw the time.'
      : `The block of its event is of ${isoTime(blockTime)}${work.evidence.recorded ? ', as recorded and not checked' : ''}.`,
    `Quote and report are judged as of ${isoTime(asOf)}, ${witness}.`,
    timesApart({ signedAt: madeAt, blockTime }) ?? [],
  ]
    .flat()
    .join(' ')
}
