/** How the entropy supply behaves unless told otherwise. */
export const supplyDefaults = {
  /** Samples to hold ahead. */
  target: 64,
  /** How long a request waits for an empty supply. */
  waitMs: 2_000,
  /** Seconds of freshness that a sample has left when it is handed out: the time to use it. */
  useSeconds: 20,
  tickMs: 1_000,
  /** How often a waiting request checks whether another worker has filled the supply, and an empty supply is refilled. */
  pollMs: 100,
  leaseSeconds: 10,
  stateEveryMs: 5_000,
  /** Unused samples are deleted this long after they expired; until then a repetition is noticed. */
  keepExpiredSeconds: 86_400,
}
