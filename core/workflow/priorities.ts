/**
 * The order in which Temporal hands out waiting tasks. Somebody waits for a signature, nobody for a publication, so
 * signing goes first (1 is first, 5 last). Within a priority, keys take turns: one wallet's backlog does not hold up the
 * others. Keys are at most 64 bytes.
 */
export const priorities = {
  sign: (walletOrUserId: string) => ({ priorityKey: 1, fairnessKey: walletOrUserId }),
  publish: (wallet: string) => ({ priorityKey: 3, fairnessKey: wallet }),
  webhook: (application: string) => ({ priorityKey: 5, fairnessKey: application }),
}
