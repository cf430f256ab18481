import { mintReceipt } from '../mintReceipt.js'
import { createSimulatedWorld } from '../simulatedWorld.js'
import { falseCases } from './falseCases.js'
import type { ReceiptCase } from './receiptCase.js'
import { birthCases, buildCases, messageCases, readerCases, timeCases } from './surroundingCases.js'

/** Receipts of every kind, true and false, with the verdict that every verifier must give. The same each time. */
export async function createCases(): Promise<ReceiptCase[]> {
  const world = await createSimulatedWorld()
  const good = mintReceipt(world)
  return [
    ...(await timeCases(world, good)),
    ...buildCases(world, good),
    ...birthCases(world, good),
    ...messageCases(world),
    ...readerCases(good),
    ...falseCases(world, good),
  ]
}
