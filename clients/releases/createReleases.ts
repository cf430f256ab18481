import { sha256 } from '@noble/hashes/sha2'
import {
  BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  encodeFunctionData,
  fallback,
  isAddressEqual,
  publicActions,
  WaitForTransactionReceiptTimeoutError,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { cidOf, ServiceError, toHex, type Hex } from '@perigee/core'
import type { MeasurementRelease } from '@perigee/core/measurements'
import { serviceReleasesAbi } from '../../contracts/index.js'
import type { ChainConfig } from '../chain/ChainConfig.js'
import { createRpcs, requestTimeoutMs } from '../chain/rpc/createRpcs.js'
import { rpcTransport } from '../chain/rpc/rpcTransport.js'

export interface ReleasesConfig extends Pick<
  ChainConfig,
  'chainId' | 'rpcUrls' | 'contract' | 'confirmations' | 'pollMs'
> {
  /** How long to wait for a transaction to be confirmed. */
  waitMs: number
}

/** A list of builds with the exact bytes that are announced. */
export interface ReleaseToAnnounce {
  release: MeasurementRelease
  file: Uint8Array
}

type Call = { functionName: 'announce'; args: [bigint, Hex, string] } | { functionName: 'withdraw'; args: [bigint] }

/** The contract that announces lists of builds. Throws `chain_unavailable` when no RPC answers. */
export function createReleases(config: ReleasesConfig) {
  const { contract: address, confirmations } = config
  const rpcs = createRpcs(config)
  const contract = { address, abi: serviceReleasesAbi } as const

  const readVersion = async (functionName: 'latestVersion' | 'versionInForce') =>
    Number(await rpcs.first((client) => client.readContract({ ...contract, functionName })))
  const latestVersion = () => readVersion('latestVersion')
  const owner = () => rpcs.first((client) => client.readContract({ ...contract, functionName: 'owner' }))

  /** What was announced as this version; null when nothing was. */
  async function announced(version: number) {
    if (version < 1 || version > (await latestVersion())) return null
    const args = [BigInt(version)] as const
    const [hash, cid, withdrawn] = await rpcs.first((client) =>
      client.readContract({ ...contract, functionName: 'release', args }),
    )
    return { version, sha256: hash, cid, withdrawn }
  }

  /**
   * Whether this list still has to be announced: false when it was. Throws `release_conflict` when another list has its
   * version, `release_rollback` when its version went by, `release_invalid` when versions before it are missing.
   */
  async function mustAnnounce({ release, file }: ReleaseToAnnounce): Promise<boolean> {
    const { version } = release
    const latest = await latestVersion()
    const found = await announced(version)
    if (found !== null && found.sha256 !== toHex(sha256(file))) {
      const facts = { version, announced: found.sha256 }
      throw new ServiceError('release_conflict', `another list was announced as version ${version}`, facts)
    }
    if (found !== null && version < latest) {
      const facts = { version, latest }
      throw new ServiceError(
        'release_rollback',
        `version ${version} is older than ${latest}, the last announced`,
        facts,
      )
    }
    if (found === null && version !== latest + 1) {
      throw new ServiceError('release_invalid', `the next list has to be version ${latest + 1}`, { version, latest })
    }
    return found === null
  }

  /** Throws `release_not_owner` for the key of somebody else. */
  async function requireOwner(key: Hex): Promise<void> {
    const { address: given } = privateKeyToAccount(key)
    if (isAddressEqual(await owner(), given)) return
    throw new ServiceError('release_not_owner', 'this key does not own the contract', { address: given })
  }

  /** Sends the owner's transaction and waits until it is confirmed. Returns its hash and block. */
  async function send(call: Call, ownerKey: Hex): Promise<{ transactionHash: Hex; blockNumber: number }> {
    await requireOwner(ownerKey)
    const account = privateKeyToAccount(ownerKey)
    const transport = fallback(config.rpcUrls.map((url) => rpcTransport(url, requestTimeoutMs)))
    const wallet = createWalletClient({ account, transport, pollingInterval: config.pollMs }).extend(publicActions)
    try {
      // Simulated first: a call that would revert is never sent.
      const { request } = await wallet.simulateContract({ ...contract, ...call, chain: null } as never)
      const hash = await wallet.writeContract(request as never)
      const receipt = await wallet.waitForTransactionReceipt({ hash, confirmations, timeout: config.waitMs })
      if (receipt.status !== 'success') {
        throw new ServiceError('publish_reverted', 'the transaction was mined but reverted', { transactionHash: hash })
      }
      return { transactionHash: hash, blockNumber: Number(receipt.blockNumber) }
    } catch (error) {
      throw translate(error)
    }
  }

  return {
    owner,
    latestVersion,
    versionInForce: () => readVersion('versionInForce'),
    announced,
    mustAnnounce,
    requireOwner,

    /** The call as a multisig needs it. */
    encode: (call: Call): { to: Hex; data: Hex } => ({
      to: address,
      data: encodeFunctionData({ abi: serviceReleasesAbi, ...call } as never),
    }),
    announceCall: ({ release, file }: ReleaseToAnnounce): Call => ({
      functionName: 'announce',
      args: [BigInt(release.version), toHex(sha256(file)), cidOf(file)],
    }),
    withdrawCall: (version: number): Call => ({ functionName: 'withdraw', args: [BigInt(version)] }),
    send,
  }
}

export type Releases = ReturnType<typeof createReleases>
export type AnnouncedRelease = NonNullable<Awaited<ReturnType<Releases['announced']>>>

function translate(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof WaitForTransactionReceiptTimeoutError) {
    return new ServiceError(
      'publish_unconfirmed',
      'the transaction is not confirmed yet; run it again to look',
      {},
      error,
    )
  }
  const reverted = error instanceof BaseError && error.walk((one) => one instanceof ContractFunctionRevertedError)
  if (reverted instanceof ContractFunctionRevertedError) {
    const name = reverted.data?.errorName ?? 'unknown'
    return new ServiceError('publish_reverted', `the contract refuses: ${name}`, { error: name }, error)
  }
  return new ServiceError('chain_unavailable', 'the transaction could not be sent', {}, error)
}
