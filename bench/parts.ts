import { apiMemory } from './api/apiMemory.js'
import { flood } from './api/flood.js'
import { proof } from './api/proof.js'
import type { Part } from './measure/Part.js'
import { floor } from './floor/floor.js'
import { draining } from './publishing/draining.js'
import { cluster } from './service/cluster.js'
import { completion } from './service/completion.js'
import { cpu } from './service/cpu.js'
import { growth } from './service/growth.js'
import { latency } from './service/latency.js'
import { stackMemory } from './service/stackMemory.js'
import { throughput } from './service/throughput.js'
import { workerMemory } from './service/workerMemory.js'
import { measurePeers } from './sizes/peers.js'
import { sizes } from './sizes/sizes.js'
import { batch } from './steps/batch.js'
import { enclave } from './steps/enclave.js'
import { entropy } from './steps/entropy.js'
import { pageVerification } from './steps/pageVerification.js'
import { quoteVerification } from './steps/quoteVerification.js'

/** Everything that `npm run bench` can measure, in this order. */
export const parts: readonly Part[] = [
  {
    name: 'quoteVerification',
    compares: 'our quote verifier against @phala/dcap-qvl',
    seconds: 8,
    measure: quoteVerification,
  },
  {
    name: 'pageVerification',
    compares:
      'the time from a receipt’s bytes to its verdict on the proof page against 300 ms, and 1.5 s on a slow phone',
    seconds: 35,
    measure: pageVerification,
  },
  {
    name: 'batch',
    compares: 'receipts verified by one run of the CLI against a run for each of them',
    seconds: 60,
    measure: batch,
  },
  {
    name: 'enclave',
    compares: 'a request to the enclave against the bare signature and quote, and what its checks of who asks add',
    seconds: 16,
    measure: enclave,
  },
  {
    name: 'entropy',
    compares: 'taking a sample against one committed row',
    seconds: 13,
    measure: async (stack) => (await stack(), entropy()),
  },
  {
    name: 'latency',
    compares: 'POST /sign/digest against the same shape with empty activities, and against a no-op workflow',
    seconds: 170, // half of it to start and warm up the service on both chains, which the next three parts use too
    measure: async (stack) => latency(await stack()),
  },
  {
    name: 'throughput',
    compares: 'signatures a second of 1, 8 and 32 clients against starts of the shape a second',
    seconds: 80,
    measure: async (stack) => throughput(await stack()),
  },
  {
    name: 'cpu',
    compares: 'the CPU of a whole proof against that of the shape',
    seconds: 110,
    measure: async (stack) => cpu(await stack()),
  },
  {
    name: 'completion',
    compares: 'the time from signature to complete against the block time',
    seconds: 35,
    measure: async (stack) => completion(await stack()),
  },
  {
    name: 'workerMemory',
    compares: 'the memory of a worker that caches 300 workflows against 350 MB',
    seconds: 25,
    measure: async (stack) => workerMemory(await stack()),
  },
  {
    name: 'proof',
    compares: 'GET /proof/:slug against a bare Express handler that reads the same row',
    seconds: 22,
    measure: async (stack) => proof(await stack()),
  },
  {
    name: 'flood',
    compares: 'other users’ p95 during one user’s flood against the same without it',
    seconds: 28,
    measure: async (stack) => flood(await stack()),
  },
  {
    name: 'stackMemory',
    compares: 'nothing: the memory of each process of the stack after the parts above',
    seconds: 3,
    measure: async (stack) => stackMemory(await stack()),
  },
  {
    name: 'growth',
    compares: 'sign, proof and completion time at 10,000 and 100,000 proofs against 1,000',
    seconds: 85,
    measure: async (stack) => growth(await stack()),
  },
  {
    name: 'draining',
    compares:
      '500 waiting proofs against the fewest blocks and transactions they need; gas drained, alone and in batches',
    seconds: 34,
    measure: async (stack) => (await stack(), draining()),
  },
  {
    name: 'sizes',
    compares: 'the SDK and the pages against the packages of peers',
    seconds: 3,
    measure: sizes,
  },
  {
    name: 'cluster',
    compares: 'POST /sign/digest on a Temporal cluster with mutual TLS and tokens against the dev server',
    seconds: 150,
    onlyByName: 'it needs the Temporal server, which takes ten minutes to build the first time',
    measure: async (stack) => cluster(await stack()),
  },
  {
    name: 'floor',
    compares: 'the shape with the bare work in its steps, which checks nothing, against the empty shape',
    seconds: 200,
    onlyByName: 'it says how near to the shape a signature could come, not how near it is',
    measure: async (stack) => floor(await stack()),
  },
  {
    name: 'apiMemory',
    compares: 'the API after BENCH_MINUTES (3) of use against the API before',
    seconds: 60 * 60,
    onlyByName: 'it takes minutes, or the hour that you give it',
    measure: async (stack) => apiMemory(await stack()),
  },
  {
    name: 'peers',
    compares: 'nothing: installs the packages of peers from npm and measures them again for `sizes`',
    seconds: 300,
    onlyByName: 'npm takes minutes for them; versions are pinned, so bench/sizes/peers.json keeps the sizes',
    measure: measurePeers,
  },
]
