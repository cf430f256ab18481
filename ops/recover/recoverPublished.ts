import { isAddressEqual } from 'viem'
import { cidOf, ServiceError, verifySigner, type Hex } from '@perigee/core'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { birthHash, parseReceipt, type AttestationReceiptV1 } from '@perigee/core/receipt'
import { newSlug } from '../../activities/evidence/newSlug.js'
import { assembleReceipt } from '../../activities/publishing/assembleReceipt.js'
import type { Chain } from '../../clients/chain/createChain.js'
import { readLogs, type PublishedLog } from '../../clients/chain/readLogs.js'
import { recoverAddress } from '../../clients/enclave/secp256k1.js'
import { findProofsOf, findSigner, recordSignature, WalletEntity, type SignatureRecord } from '../../database/index.js'
import { restartPublishing } from '../../temporal/index.js'
import type { Recovery } from './createLosses.js'
import { storeNamedBundles } from './recorded.js'

const blocksPerRequest = 2_000n
const withoutHistory =
  'no history of it was found since that time; its receipt holds only a hash of the sealed key, so nobody can open the key'

/**
 * For signatures whose history Temporal no longer has: our own publishers named their receipts on the chain, and a receipt holds
 * everything that the record held, except the proof's name. The old link stays dead.
 */
export async function recoverPublished(chain: Chain, publishers: readonly Hex[], recovery: Recovery): Promise<void> {
  const { database, losses } = recovery
  const head = await chain.head()
  for (let from = BigInt(chain.config.contractBlock); from <= head; from += blocksPerRequest) {
    const to = from + blocksPerRequest - 1n
    const range = { contract: chain.config.contract, fromBlock: from, toBlock: to < head ? to : head }
    const logs = await chain.rpcs.first((client) => readLogs(client, range))
    const known = new Set((await findProofsOf(database, logs.map(({ args }) => args.txHash))).map(({ txHash }) => txHash)) // prettier-ignore
    for (const log of logs.filter(({ args }) => !known.has(args.txHash))) {
      losses.count('events without a record')
      try {
        await recoverOne(log, chain, publishers, recovery)
      } catch (error) {
        losses.gone('receipt', log.args.ipfsCid, error instanceof ServiceError ? error.message : 'it cannot be read')
      }
    }
  }
}

async function recoverOne(log: PublishedLog, chain: Chain, publishers: readonly Hex[], recovery: Recovery) {
  const { database, client, losses, findBundle, apply } = recovery
  const { ipfsCid, txHash } = log.args
  if (losses.explained.has(txHash)) return
  const address = log.args.wallet.toLowerCase() as Hex
  const { from } = await chain.rpcs.first((rpc) => rpc.getTransaction({ hash: log.transactionHash }))
  if (!publishers.some((publisher) => isAddressEqual(publisher, from))) return // another service's, or anybody's
  const wallet = await database.getRepository(WalletEntity).findOneBy({ address })
  if (!wallet) {
    if (txHash === birthHash(address)) return losses.gone('wallet', address, withoutHistory)
    if (!losses.isWalletBack(address)) return losses.gone('receipt', ipfsCid, 'its wallet is lost')
  }
  const bytes = await findBundle(ipfsCid)
  if (!bytes) return losses.gone('receipt', ipfsCid, 'it is on none of our nodes')
  const receipt = parseReceipt(bytes)
  const { transaction, signer } = receipt
  const { digest, signature, chainId } = transaction
  await verifySigner(transaction, signature, address, recoverAddress)
  if (!wallet) return losses.recovered('receipt', ipfsCid) // without --apply its wallet is not there yet
  const again = (await findSigner(database, wallet.id, digest))?.signed
  if (again)
    return losses.gone('receipt', ipfsCid, `the same transaction was signed again since: its proof is ${again.slug}`)
  const record = recordOf(receipt, wallet.id)
  const { slug } = record.proof
  const proof = { ...record, publication: {}, wallet, attestation: { ...record.attestation, slug } } as never
  if (cidOf(new TextEncoder().encode(assembleReceipt(proof, signer.birthCid))) !== ipfsCid) {
    throw new ServiceError('cid_mismatch', 'the receipt cannot be made again from what it says')
  }
  const { issuedAt, anchors, trustAnchorsCid } = record.attestation
  await storeNamedBundles(recovery, { issuedAt, anchors, trustAnchorsCid }, signer.collateralCid)
  if (apply) {
    const row = await recordSignature(database, record)
    await restartPublishing(
      client,
      { kind: 'transaction', slug: row.slug, txHash, chainId, wallet: wallet.address },
      true,
    )
  }
  losses.recovered('receipt', ipfsCid)
}

function recordOf(receipt: AttestationReceiptV1, walletId: string): SignatureRecord {
  const { transaction, signer, coordinator, authorisation, entropy, verification, issuedAt } = receipt
  const { type: _, from: __, digest, txHash, signature, ...metadata } = transaction
  return {
    proof: { slug: newSlug(), walletId, txHash, chainId: transaction.chainId, createdAt: issuedAt },
    transaction: { digest, metadata, signature },
    attestation: {
      platform: signer.platform,
      simulated: receipt.simulated,
      quote: signer.quote,
      runtimeEvents: signer.runtimeEvents,
      nonce: signer.nonce,
      madeAt: signer.signedAt,
      collateralCid: signer.collateralCid,
      trustAnchorsCid: verification.trustAnchorsCid,
      rootFingerprint: signer.rootFingerprint,
      verifiedAt: signer.verifiedAt,
      tcbStatus: signer.tcbStatus,
      advisoryIds: signer.advisoryIds,
      quoteVerified: true,
      coordinator,
      entropy,
      entropyHash: entropyWitnessHash(entropy),
      anchors: { spec: receipt.spec, instructions: verification.instructions, publication: verification.publication },
      issuedAt,
      policy: signer.policy,
      sealedKeyHash: null,
      authorisation,
    },
    bundles: [],
  }
}
