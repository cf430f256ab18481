import { expect, test } from 'vitest'
import type { Json } from '../../bytes/index.js'
import { mail } from '../../message/testing/typedData.js'
import { mintMessage } from '../testing/mintMessage.js'
import { leafPaths, mutantsOf } from '../testing/mutants.js'
import { anchorsOf, createSimulatedWorld } from '../testing/simulatedWorld.js'
import { verifyReceipt } from './verifyReceipt.js'

const world = await createSimulatedWorld()
const options = { anchors: anchorsOf(world), lists: new Map() }

test('no opening that was changed in one place opens the receipt', async () => {
  const minted = mintMessage(world, { scheme: 'eip712', typedData: mail })
  const good = JSON.parse(JSON.stringify(minted.opening)) as Json
  const mutants = leafPaths(good).flatMap((leaf) => mutantsOf(good, leaf))
  // Steps that have nothing to do with the opening, and take long.
  const skip = ['quote', 'coordinator_report', 'birth', 'measurements', 'coordinator_binding', 'statement'] as const
  const isOpened = async (given: unknown) => {
    const { steps } = await verifyReceipt({ ...minted.evidence, opening: given }, { ...options, skip })
    return steps.find(({ step }) => step === 'opening')?.status
  }
  expect(await isOpened(good)).toBe('pass')
  expect(mutants.length).toBeGreaterThan(200)
  const opened: string[] = []
  for (const { value, path, what } of mutants) {
    if ((await isOpened(value)) !== 'fail') opened.push(`${path} ${what}`)
  }
  // An address in upper case is the same address.
  expect(opened.filter((one) => !one.endsWith('upper case'))).toEqual([])
})
