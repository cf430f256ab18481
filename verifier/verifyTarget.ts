import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Hex } from '@perigee/core'
import type { VerifyBeacon } from '@perigee/core/entropy'
import { parseReceipt, type TrustAnchors } from '@perigee/core/receipt'
import { receiptSteps, verifyReceipt, type ReceiptVerdict, type StepName } from '@perigee/core/receipt/verify'
import { isBundle, parseBundle, printBundle, type Bundle } from './bundle.js'
import type { Console } from './Console.js'
import { gatherEvidence } from './gatherEvidence.js'
import type { ReceiptCommand } from './parseArguments.js'
import { readFile } from './readFile.js'
import { publicGateways } from './sources/gateway.js'
import { readStack } from './sources/stack.js'
import { parseTarget } from './target.js'
import { chooseTrust } from './trust.js'
import { UsageError } from '@perigee/core/config'

/** The verdict, whose trust anchors it rests on, and what could not be fetched. */
export interface TargetVerdict extends ReceiptVerdict {
  trust: { source: string; cid: string; simulated: boolean }
  notes: string[]
}

// Only receipts with entropy from a beacon need IPNS, and it is slow to load.
const verifyBeacon: VerifyBeacon = async (evidence, now) => {
  const beacon = await import('@perigee/core/entropyBeacon')
  return beacon.verifyBeacon(evidence, now)
}

/** Fetches and verifies what the command names. */
export async function verifyTarget(command: ReceiptCommand, io: Console): Promise<TargetVerdict> {
  const skip = command.skip.map(parseStep)
  const stack = command.stack ? await readStack(io.cwd) : null
  const api = command.api ?? stack?.api
  const target = parseTarget(command.target, api)
  const file = target.kind === 'file' ? await readTargetFile(io.cwd, target.path) : null
  if (command.offline && !file?.bundle) throw new UsageError('--offline needs a bundle made with --save-bundle')
  const trust = await chooseTrust(command, stack, file?.bundle ?? null, io.cwd)
  const places = {
    gateways: command.gateways.length > 0 ? command.gateways : stack === null ? publicGateways : [stack.gateway],
    rpc: command.rpc ?? stack?.rpc,
    // A bundle may be from elsewhere: the trust anchors then say which contract counts.
    contract: (command.contract as Hex | undefined) ?? (file?.bundle ? undefined : stack?.contract),
    api,
    fromBlock: command.fromBlock ?? 0,
  }
  const gathered = await gatherEvidence(target, file, places, trust.anchors, skip, io)
  const { evidence, notes } = gathered
  const anchors = expecting(trust.anchors, places.contract, evidence.receipt)
  if (command.saveBundle !== undefined) await save(io, command.saveBundle, { evidence, anchors })
  const verdict = await verifyReceipt(evidence, {
    anchors,
    now: io.now(),
    skip,
    verifyBeacon,
    explain: command.explain,
    ...(command.at === undefined ? {} : { at: command.at }),
    ...(command.confirmations === undefined ? {} : { minConfirmations: command.confirmations }),
  })
  const simulated = trust.anchors.simulated
  return { ...verdict, trust: { source: trust.source, cid: trust.cid, simulated }, notes }
}

function parseStep(name: string): StepName {
  const step = receiptSteps.find((one) => one.name === name)
  if (step === undefined) throw new UsageError(`--skip ${name}: there is no such step`)
  if (!step.skippable) throw new UsageError(`--skip ${name}: this step needs nothing from outside, so it always runs`)
  return step.name
}

async function readTargetFile(cwd: string, path: string): Promise<{ bytes: Uint8Array; bundle: Bundle | null }> {
  const bytes = await readFile(cwd, path)
  let value: unknown = null
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // Not JSON: the first step refuses it with a code.
  }
  return { bytes, bundle: isBundle(value) ? parseBundle(value) : null }
}

/** A contract named on the command line replaces those of the anchors, on the chain the receipt was published to. */
function expecting(anchors: TrustAnchors, contract: Hex | undefined, receipt: Uint8Array): TrustAnchors {
  if (contract === undefined) return anchors
  try {
    const { chainId } = parseReceipt(receipt).verification.publication
    return { ...anchors, contracts: [{ chainId, address: contract }] }
  } catch {
    return anchors
  }
}

async function save(io: Console, path: string, bundle: Bundle): Promise<void> {
  await writeFile(resolve(io.cwd, path), printBundle(bundle)).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`cannot write ${path}: ${error.code ?? 'unknown error'}`)
  })
  io.progress(`saved ${path}`)
}
