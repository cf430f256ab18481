import { expect, test } from 'vitest'
import { mintReceipt } from '../testing/mintReceipt.js'
import { releasesOf, simulatedList } from '../testing/simulatedReleases.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import { vendorAnchors } from '../anchors/vendorAnchors.js'
import { vendorRoots } from '../anchors/vendorRoots.js'
import { trustAnchorsStep } from './steps/publicationSteps.js'
import type { StepName, Work } from './types.js'
import { verifyReceipt } from './verifyReceipt.js'

/* No line claims more than was checked. */
const { evidence, anchors, receipt } = mintReceipt(await createSimulatedWorld())

test.each(['quote', 'coordinator', 'entropy'] as const)(
  'real roots and entropy are not claimed without the %s',
  (missing) => {
    const [intel, amd] = [vendorRoots.intel[0]!, vendorRoots.amd[0]!]
    const work = {
      receipt: {
        ...receipt,
        simulated: false,
        signer: { ...receipt.signer, rootFingerprint: intel },
        coordinator: { ...receipt.coordinator, rootFingerprint: amd },
        entropy: { ...receipt.entropy, provenance: 'operator-asserted' },
      },
      options: { anchors: vendorAnchors() },
      quote: {},
      coordinator: {},
      entropy: 'operator-asserted',
    } as unknown as Work
    expect(trustAnchorsStep.run(work)).toMatch(/and the entropy is not simulated$/)
    expect(trustAnchorsStep.run({ ...work, [missing]: undefined })).toMatch(/not all its evidence was verified$/)
  },
)

test.each<StepName>(['coordinator_report', 'coordinator_binding'])(
  'a statement is nobody’s while the step %s is skipped',
  async (step) => {
    const { steps } = await verifyReceipt(evidence, { anchors, skip: [step] })
    expect(steps.find((one) => one.step === 'statement')).toMatchObject({ status: 'fail', code: 'step_not_run' })
  },
)

test('the build that is named is the one that the quote shows, not another with the same compose file', async () => {
  const { enclaves } = simulatedList()
  const other = { ...enclaves[0]!, name: 'another build', mrTd: `0x${'ab'.repeat(48)}` as const }
  const releases = releasesOf(simulatedList(1, { enclaves: [other, ...enclaves] }))
  const { verified, explanation } = await verifyReceipt({ ...evidence, releases }, { anchors, explain: true })
  expect(verified).toBe(true)
  expect(explanation?.keeper).toMatch(/for the build “simulated-enclave”\.$/)
})
