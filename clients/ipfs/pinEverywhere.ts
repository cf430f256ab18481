import { ServiceError } from '@perigee/core'
import type { PinningNode } from './PinningNode.js'

interface PinOutcome {
  node: string
  /** `held`, or the error's code; `pin_unavailable` also for a node that was too slow to wait for. */
  outcome: string
}

/** How long to wait for the other nodes once enough hold the block; `repairPins` serves them later. */
const graceMs = 1_000

/**
 * Pins on every node at once and returns each outcome, if enough nodes hold the block. Otherwise throws: `cid_mismatch`, which
 * is permanent, only when so many nodes give other bytes that the required number cannot be reached, and `pin_rejected` when
 * so many do that or refuse.
 */
export async function pinEverywhere(
  nodes: readonly PinningNode[],
  required: number,
  cid: string,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<PinOutcome[]> {
  const late = new AbortController()
  const held: string[] = []
  const failures: { node: string; error: ServiceError }[] = []
  let enough: () => void = () => undefined
  const isEnough = new Promise<void>((resolve) => (enough = resolve))
  const either = AbortSignal.any([late.signal, ...(signal ? [signal] : [])])
  const all = nodes.map(async (node) => {
    try {
      await node.pin(cid, bytes, either)
      held.push(node.name)
      if (held.length >= required) enough()
    } catch (error) {
      const known =
        error instanceof ServiceError ? error : new ServiceError('pin_unavailable', 'the node failed', {}, error)
      failures.push({ node: node.name, error: known })
    }
  })
  let timer: NodeJS.Timeout | undefined
  const graceIsOver = isEnough.then(() => new Promise((resolve) => (timer = setTimeout(resolve, graceMs))))
  await Promise.race([Promise.all(all), graceIsOver])
  clearTimeout(timer)
  if (held.length + failures.length < nodes.length) late.abort()
  if (held.length >= required) {
    return nodes.map(({ name }) => {
      const failure = failures.find(({ node }) => node === name)
      return { node: name, outcome: held.includes(name) ? 'held' : (failure?.error.code ?? 'pin_unavailable') }
    })
  }
  const without = (...codes: string[]) =>
    nodes.length - failures.filter(({ error }) => codes.includes(error.code)).length
  const [code, message] =
    without('cid_mismatch') < required
      ? (['cid_mismatch', 'too many nodes give other bytes'] as const)
      : without('cid_mismatch', 'pin_rejected') < required
        ? (['pin_rejected', 'too many nodes refuse the block'] as const)
        : (['pin_unavailable', 'too few nodes hold the block'] as const)
  const named = failures.map(({ node, error }) => `${node}: ${error.code}`).join(', ')
  const facts = { cid, pinned: held.length, required }
  const cause = (failures.find(({ error }) => error.code === code) ?? failures[0])?.error
  throw new ServiceError(code, `${message} (${named})`, facts, cause)
}
