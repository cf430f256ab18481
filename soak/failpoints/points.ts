/** The numbered steps of docs/architecture.md, by the call that does each, as `workers/testing/crashingWorker.ts` names it. */
const steps = {
  sign: [
    'entropy.take', // 1
    'enclave.signTransaction', // 2
    'evidence.verifySignEvidence', // 3
    'database.transaction', // 4: signature, evidence and the intent to publish; after it the publication is started
  ],
  publish: [
    'ipfs.pin', // upload, pin, read back
    'record.pinned', // CID and receipt in the record
    'publisher.open', // nonce, signed transaction in the record
    'chain.broadcast', // sent
    'chain.findMined', // seen in a block
    'record.complete', // place on the chain in the record
  ],
}

/** Where a worker can be told to die: before and after every step. */
export const failpoints: readonly string[] = Object.values(steps)
  .flat()
  .flatMap((step) => [`${step}:before`, `${step}:after`])
