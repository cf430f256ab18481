/**
 * What one signature and its proof cost on two cores, with 2-second blocks, eight at once. CPU in milliseconds of one core,
 * from `npm run bench` on 16 November 2026; gas from the table in docs/performance.md (18 November).
 */
export const costs = {
  /** `POST /sign/digest` and three reads of the proof: 13.75 + 3 × 3.47. */
  apiMs: 24.2,
  /** Both workflows: 182.9. Polling of a slow chain is in it. */
  workerMs: 182.9,
  /** 152.3 for the dev server; a cluster took at least half as much again (not isolated, so this is a floor). */
  temporalMs: 152.3 * 1.5,
  /** Over HTTPS, with statement and passkey: 5.57 + 0.40 + 1.08. */
  enclaveMs: 7.05,
  /** Durable commits, estimated from the steps, not counted: request, record, pin, slot, mined, complete. */
  commits: 6,
  /** One committed row. Measured as elapsed time, so it bounds the CPU from above. */
  commitMs: 1.25,
  /** The audit log is one hash chain: its events (requested, recorded) are committed one after the other. */
  auditEvents: 2,
  entropySamples: 1,
  /** In a batch of 32. */
  gas: 6_396,
  /** 500 waiting receipts left in 14 blocks with one key, so a block took this many. */
  receiptsPerBlockAndKey: 500 / 14,
  /** 500 receipts pinned on one node in 8.8 s. */
  pinsPerSecondAndNode: 500 / 8.785,
  /** Quote, reports and certificates in hex. Assumed, not measured. */
  receiptBytes: 20_000,
}

/** What we take for granted about the world. Replace it by what you have. */
export const world = {
  /** Of a core, so that a burst finds room. */
  utilisation: 0.7,
  blockSeconds: 2,
  /** 30 million gas every 2 s, of which one service may fairly use a tenth. */
  fairGasPerSecond: 1_500_000,
  /** ORBITPORT_SAMPLES_PER_DAY by default. */
  samplesPerDay: 1_500,
  /** One shard of the dev server carried at least this many starts a second; it had run out of CPU by then. */
  startsPerShard: 16,
  copies: 2,
}

/**
 * Signatures a second that this machine sustained together with their proofs (16 November). The rate in docs/performance.md
 * is higher: it counts answers, and most of their publication comes after the measurement.
 */
export const measuredRate = 6.7
