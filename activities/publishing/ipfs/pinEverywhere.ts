import { ServiceError } from '@perigee/core'
import type { PinningNode } from './PinningNode.js'

/**
 * Pins on every node at once and returns the names of those that hold the block, if they are enough. Otherwise throws:
 * for good only when so many nodes refused for good that the required number cannot be reached.
 */
export async function pinEverywhere(
  nodes: readonly PinningNode[],
  required: number,
  cid: string,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<string[]> {
  const results = await Promise.allSettled(nodes.map((node) => node.pin(cid, bytes, signal)))
  const held: string[] = []
  const failures: { node: string; error: ServiceError }[] = []
  for (const [index, result] of results.entries()) {
    const node = (nodes[index] as PinningNode).name
    if (result.status === 'fulfilled') held.push(node)
    else failures.push({ node, error: asServiceError(result.reason) })
  }
  if (held.length >= required) return held
  const hopeful = failures.filter(({ error }) => error.retryable)
  const refused = failures.find(({ error }) => !error.retryable)
  const named = failures.map(({ node, error }) => `${node}: ${error.code}`).join(', ')
  const facts = { cid, pinned: held.length, required }
  if (refused && held.length + hopeful.length < required) {
    throw new ServiceError(refused.error.code, `too many nodes refuse the block (${named})`, facts, refused.error)
  }
  throw new ServiceError('pin_unavailable', `too few nodes hold the block (${named})`, facts, failures[0]?.error)
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError('pin_unavailable', 'the node failed', {}, error)
}
