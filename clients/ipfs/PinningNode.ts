/** A node or service that keeps blocks. */
export interface PinningNode {
  /** For people and for the pins table; no credentials in it. */
  readonly name: string
  /**
   * Stores the block, pins it, reads it back and compares. Throws `pin_unavailable` when the node does not answer or
   * is in trouble, `pin_rejected` when it refuses, `cid_mismatch` when it answers with another block.
   */
  pin(cid: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  /** Whether it holds the block now; changes nothing. `wrong`: it gives other bytes. Throws when it does not answer. */
  look(cid: string, signal?: AbortSignal): Promise<'held' | 'missing' | 'wrong'>
  /** The block from its own store, where it can give one; null when it does not have it. Not compared with the CID. */
  read?(cid: string): Promise<Uint8Array | null>
}
