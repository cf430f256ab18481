import { readBootLog } from '../../measurements/index.js'
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
    ...(isBirth
      ? {}
      : {
          birth: shown(
            'birth',
            ({ detail }) => `The key was made in an enclave before it signed, and its birth is public: ${detail}.`,
          ),
        }),
    list: shown('release_list', () => listOf(work)),
  }
}

function keeperOf({ receipt, releaseInForce: list }: Work): string {
  const { appId, keyProvider, composeHash } = readBootLog(receipt?.signer.runtimeEvents ?? [])
  const build = list?.release.enclaves.find((one) => one.composeHash === composeHash)
  const service = `key service ${keyProvider?.name} ${keyProvider?.id}`
  return `The enclave got its sealing key from the ${service}, under app id ${appId}. List ${list?.release.version} names both for the build “${build?.name}”.`
}

function listOf({ releaseInForce: list }: Work): string {
  return `List ${list?.release.version} of builds, SHA-256 ${list?.sha256} (${list?.cid}), was in force from block ${list?.fromBlock} on, announced by ${list?.contract}. The receipt’s event is in that block or a later one.`
}
