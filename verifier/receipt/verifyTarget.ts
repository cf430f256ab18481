import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Hex } from '@perigee/core/bytes'
import { parseAnyReceipt, type TrustAnchors } from '@perigee/core/receipt'
import { isBundle, parseBundle, printBundle, verifyBeacon, type Bundle } from '@perigee/core/receipt/gather'
import {
  receiptSteps,
  verifyReceipt,
  type ReceiptVerdict,
  type StepName,
  type TcbThenAndNow,
} from '@perigee/core/receipt/verify'
import type { Console } from '../Console.js'
import type { ReceiptCommand } from '../parseArguments.js'
import { readCrls, readFile } from '../sources/readFile.js'
import { readStack } from '../sources/readStack.js'
import { UsageError } from '@perigee/core/config'
import { chooseTrust, placesUnder } from './chooseTrust.js'
import { gatherTarget, type TargetFile } from './gatherTarget.js'
import { verifyToday } from './verifyToday.js'
import { parseTarget } from './parseTarget.js'

/** The verdict, the trust anchors it rests on, and what could not be fetched. */
export interface TargetVerdict extends ReceiptVerdict {
  trust: { source: string; cid: string; simulated: boolean; selfMade: boolean }
  /** No step fails, but trust anchors or chain data come from the bundle, unchecked. Then `verified` is false. */
  restsOnBundle: boolean
  /** The steps that `--skip` left out, when no other fails. Then `verified` is false too. */
  leftOut: StepName[]
  notes: string[]
  /** With `--now`: what the newest collateral says today. Unless it accepts the quote, `verified` is false. */
  today?: TcbThenAndNow['now']
}

/** Fetches and verifies what the command names. */
export async function verifyTarget(command: ReceiptCommand, io: Console): Promise<TargetVerdict> {
  const skip = command.skip.map(parseStep)
  const found = command.stack ? await readStack(io.cwd) : null
  const target = parseTarget(command.target, command.api ?? found?.api)
  const file = target.kind === 'file' ? await readTargetFile(io.cwd, target.path) : null
  if (command.offline && !file?.bundle) throw new UsageError('--offline needs a bundle made with --save-bundle')
  if (command.collateral !== undefined && !command.now) throw new UsageError('--collateral is for --now')
  const trust = await chooseTrust(command, found, file?.bundle ?? null, io.cwd)
  const stack = placesUnder(trust, found)
  // A bundle may be from elsewhere: its trust anchors say which contract counts.
  const contract = (command.contract as Hex | undefined) ?? (file?.bundle ? undefined : stack?.contract)
  const { evidence, notes } =
    command.offline && file?.bundle
      ? { evidence: file.bundle.evidence, notes: ['events are as recorded in the bundle; no node was asked'] }
      : await gatherTarget(target, file, { command, stack, io, skip, contract, anchors: trust.anchors })
  const anchors = expecting(trust.anchors, contract, evidence.receipt)
  if (command.saveBundle !== undefined) await save(io, command.saveBundle, { evidence, anchors })
  const amdCrls = await readCrls(io.cwd, command.amdCrl)
  const opening =
    command.opening === undefined ? undefined : new TextDecoder().decode(await readFile(io.cwd, command.opening))
  const verdict = await verifyReceipt(opening === undefined ? evidence : { ...evidence, opening }, {
    anchors,
    now: io.now(),
    skip,
    verifyBeacon,
    explain: command.explain,
    ...(amdCrls && { amdCrls }),
    ...(command.at === undefined ? {} : { at: command.at }),
    ...(command.confirmations === undefined ? {} : { minConfirmations: command.confirmations }),
  })
  if (opening !== undefined && verdict.kind !== 'message' && verdict.kind !== null) {
    throw new UsageError('--opening: only the receipt of a message can be opened')
  }
  const today = command.now ? await verifyToday(evidence, anchors, { command, stack, io }) : undefined
  const holds = verdict.failed.length === 0 && (!command.now || today?.now.kind === 'checked')
  const { source, cid, selfMade } = trust
  const takenFromBundle = selfMade || verdict.steps.some(({ recorded }) => recorded)
  return {
    ...verdict,
    verified: holds && verdict.verified && !takenFromBundle,
    restsOnBundle: holds && takenFromBundle,
    leftOut: holds ? verdict.steps.filter(({ asked }) => asked).map(({ step }) => step) : [],
    trust: { source, cid, simulated: trust.anchors.simulated, selfMade },
    notes,
    ...(today && { today: today.now }),
  }
}

function parseStep(name: string): StepName {
  const step = receiptSteps.find((one) => one.name === name)
  if (step === undefined) throw new UsageError(`--skip ${name}: there is no such step`)
  if (!step.skippable) throw new UsageError(`--skip ${name}: this step needs nothing from outside, so it always runs`)
  return step.name
}

async function readTargetFile(cwd: string, path: string): Promise<TargetFile> {
  const bytes = await readFile(cwd, path).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${error.message}; the URL of a proof begins with http, and a slug needs --api`)
  })
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
    const { chainId } = parseAnyReceipt(receipt).verification.publication
    const known = anchors.contracts.filter((one) => one.chainId === chainId && one.address === contract)
    return { ...anchors, contracts: known.length > 0 ? known : [{ chainId, address: contract }] }
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
