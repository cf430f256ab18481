import type { Hex } from '@perigee/core/bytes'
import type { TrustAnchors } from '@perigee/core/receipt'
import {
  blocksOfBundle,
  fetchCid,
  fetchOnce,
  gatherEvidence,
  type Bundle,
  type Gathered,
  type Target,
} from '@perigee/core/receipt/gather'
import type { StepName } from '@perigee/core/receipt/verify'
import type { Console } from '../Console.js'
import type { ReceiptCommand } from '../parseArguments.js'
import { openHttp, openRpc } from '../sources/openHttp.js'
import { readProof } from '../sources/readProof.js'
import type { Stack } from '../sources/readStack.js'
import type { NamedTarget } from './parseTarget.js'

/** Public gateways that serve raw blocks. They need no trust: what they send is hashed here. */
const publicGateways = ['https://trustless-gateway.link', 'https://ipfs.io', 'https://dweb.link']

/** A node that allows 10 000 blocks at a time is asked about tens of millions in this time. */
const mostSearchMs = 600_000

/** Where the reader has us look. */
export interface Places {
  command: ReceiptCommand
  stack: Stack | null
  io: Console
}

/** The file that the reader names: a receipt, or a bundle. */
export interface TargetFile {
  bytes: Uint8Array
  bundle: Bundle | null
}

interface Gathering extends Places {
  skip: readonly StepName[]
  contract: Hex | undefined
  anchors: TrustAnchors
}

/** The reader's gateways, or the local stack's, or public ones. */
export function gatewaysOf({ gateways }: Pick<ReceiptCommand, 'gateways'>, stack: Stack | null): readonly string[] {
  if (gateways.length > 0) return gateways
  return stack === null ? publicGateways : [stack.gateway]
}

/** The gateways and the node. `first`: a gateway that is asked before the others. */
export function openPlaces({ command, stack, io }: Places, first: readonly string[] = []) {
  const http = openHttp(command.timeout)
  const onProgress = (line: string) => io.progress(line)
  const gateways = { urls: [...first, ...gatewaysOf(command, stack)], get: http.get, onProgress }
  return {
    http,
    fetchCid: fetchOnce((cid: string, what: string) => fetchCid(cid, what, gateways)),
    rpc: openRpc(http, command.rpc ?? stack?.rpc),
  }
}

/**
 * Connects the gatherer to the gateways, the node and the service that the reader chose. Of a bundle only the bytes count,
 * because they are named by their hashes: what it says about the chain is read again from the node.
 */
export function gatherTarget(named: NamedTarget, file: TargetFile | null, gathering: Gathering): Promise<Gathered> {
  const { command, stack, io, skip, contract, anchors } = gathering
  const onProgress = (line: string) => io.progress(line)
  const first = named.kind === 'cid' && named.gateway !== undefined ? [named.gateway] : []
  const { http, fetchCid, rpc } = openPlaces(gathering, first)
  const held = file?.bundle ? blocksOfBundle(file.bundle) : new Map<string, Uint8Array>()
  const sources = {
    fetchCid: async (cid: string, what: string) => held.get(cid) ?? fetchCid(cid, what),
    rpc,
    readProof: (slug: string) => {
      const { url } = named as NamedTarget & { kind: 'proof' }
      io.progress(`asking ${new URL(url).host} which receipt this is`)
      return readProof(http, url, slug, command.api ?? stack?.api)
    },
  }
  const receipt = file?.bundle?.evidence.receipt ?? file?.bytes ?? new Uint8Array()
  const target: Target = named.kind === 'file' ? { kind: 'bytes', receipt } : named
  const signal = AbortSignal.timeout(mostSearchMs)
  return gatherEvidence(target, sources, { anchors, contract, fromBlock: command.fromBlock, skip, signal, onProgress })
}
