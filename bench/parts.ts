import { apiMemory } from './api/apiMemory.js'
import { flood } from './api/flood.js'
import { proof } from './api/proof.js'
import { draining } from './draining.js'
import { enclave } from './enclave.js'
import { entropy } from './entropy.js'
import type { Part } from './Part.js'
import { quoteVerification } from './quoteVerification.js'
import { completion } from './service/completion.js'
import { cpu } from './service/cpu.js'
import { growth } from './service/growth.js'
import { latency } from './service/latency.js'
import { memory } from './service/memory.js'
import { throughput } from './service/throughput.js'
import { signing } from './signing.js'
import { measurePeers } from './sizes/peers.js'
import { sizes } from './sizes/sizes.js'

/**
 * Everything that `npm run bench` can measure, in this order: `cpu` and `latency` when the worker has made some hundred
 * proofs, because it lives for days, and compiles its code in its first minutes. Together they take less than ten minutes.
 */
export const parts: readonly Part[] = [
  {
    name: 'quoteVerification',
    compares: 'our quote verifier with @phala/dcap-qvl',
    seconds: 8,
    measure: quoteVerification,
  },
  {
    name: 'enclave',
    compares: 'a request to the enclave with the bare signature and quote',
    seconds: 9,
    measure: enclave,
  },
  {
    name: 'entropy',
    compares: 'taking a sample with one committed row',
    seconds: 13,
    measure: async (stack) => (await stack(), entropy()),
  },
  {
    name: 'signing',
    compares: 'a signature without HTTP, step by step, with a workflow that does nothing and with no workflow at all',
    seconds: 47,
    measure: async (stack) => signing(await stack()),
  },
  {
    name: 'throughput',
    compares: 'signatures a second of 8 and 32 clients with those of one',
    seconds: 30,
    measure: async (stack) => throughput(await stack()),
  },
  {
    name: 'completion',
    compares: 'the time from signature to complete with the block time',
    seconds: 43,
    measure: async (stack) => completion(await stack()),
  },
  {
    name: 'cpu',
    compares: 'the CPU of a whole proof with that of a workflow that does nothing',
    seconds: 150,
    measure: async (stack) => cpu(await stack()),
  },
  {
    name: 'latency',
    compares: 'POST /sign/digest with a workflow that does nothing',
    seconds: 80,
    measure: async (stack) => latency(await stack()),
  },
  {
    name: 'proof',
    compares: 'GET /proof/:slug with a bare Express handler that asks for the same row',
    seconds: 22,
    measure: async (stack) => proof(await stack()),
  },
  {
    name: 'flood',
    compares: 'other people’s p95 while one person floods the API with the same without the flood',
    seconds: 28,
    measure: async (stack) => flood(await stack()),
  },
  {
    name: 'memory',
    compares: 'nothing: what each process of the stack holds after all of the above',
    seconds: 3,
    measure: async (stack) => memory(await stack()),
  },
  {
    name: 'growth',
    compares: 'sign and proof latency with 10,000 and 100,000 proofs with the same with 1,000',
    seconds: 85,
    measure: async (stack) => growth(await stack()),
  },
  {
    name: 'draining',
    compares: '500 waiting proofs with the fewest blocks and transactions they need; gas alone and in batches',
    seconds: 34,
    measure: draining,
  },
  {
    name: 'sizes',
    compares: 'the SDK and the pages with the packages of peers',
    seconds: 3,
    measure: sizes,
  },
  {
    name: 'apiMemory',
    compares: 'the API after BENCH_MINUTES (3) of use with the API before',
    seconds: 60 * 60,
    onlyByName: 'it takes minutes, or the hour that you give it',
    measure: async (stack) => apiMemory(await stack()),
  },
  {
    name: 'peers',
    compares: 'nothing: installs the packages of peers from npm and weighs them anew for `sizes`',
    seconds: 300,
    onlyByName: 'npm takes minutes for them; their versions are pinned, so bench/sizes/peers.json keeps what it found',
    measure: measurePeers,
  },
]
