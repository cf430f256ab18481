import { isAddressEqual } from 'viem'
import { cidOf, ServiceError, type Hex } from '@perigee/core'
import { birthHash, parseAnyReceipt } from '@perigee/core/receipt'
import { newSlug } from '../../activities/evidence/newSlug.js'
import { assembleReceipt } from '../../activities/publishing/assembleReceipt.js'
import type { Chain } from '../../clients/chain/createChain.js'
import type { PublishedLog } from '../../clients/chain/readLogs.js'
import { walkLogs } from '../../clients/chain/walkLogs.js'
import { findProofsOf, WalletEntity } from '../../database/index.js'
import { restartPublishing } from '../../temporal/index.js'
import type { Recovery } from './createLosses.js'
import { attestationIn, publishedRecord } from './publishedRecord.js'
import { storeNamedBundles } from './storeNamedBundles.js'

const withoutHistory =
  'no history of it was found since that time; its receipt holds only a hash of the sealed key, so nobody can open the key'

/**
 * For signatures whose history Temporal no longer has: our own publishers named their receipts on the chain, and a receipt holds
 * everything that the record held, except the proof's name, and of a message the signature. The old link stays dead.
 */
export async function recoverPublished(chain: Chain, publishers: readonly Hex[], recovery: Recovery): Promise<void> {
  const { database, losses } = recovery
  for await (const logs of walkLogs(chain)) {
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
  const receipt = parseAnyReceipt(bytes)
  if (receipt.version === 'perigee-birth/1') throw new ServiceError('claim_mismatch', 'it is the receipt of a birth')
  const found = await publishedRecord(receipt, address, txHash)
  if (!wallet) return losses.recovered('receipt', ipfsCid) // without --apply its wallet is not there yet
  const { kind, chainId, transaction } = found
  const again = await found.findAgain(database, wallet.id)
  if (again) return losses.gone('receipt', ipfsCid, `the same ${kind} was signed again since: its proof is ${again}`)
  const attestation = attestationIn(receipt)
  const proof = { slug: newSlug(), walletId: wallet.id, txHash, chainId, createdAt: receipt.issuedAt }
  const record = { kind, wallet, transaction, attestation, publication: proof } as never
  if (cidOf(new TextEncoder().encode(assembleReceipt(record, receipt.signer.birthCid))) !== ipfsCid) {
    throw new ServiceError('cid_mismatch', 'the receipt cannot be made again from what it says')
  }
  await storeNamedBundles(recovery, attestation, receipt.signer.collateralCid)
  if (apply) {
    const { slug } = await found.record(database, { proof, attestation, bundles: [] })
    await restartPublishing(client, { kind, slug, txHash, chainId, wallet: wallet.address }, 'ops recover', 'replace')
  }
  losses.recovered('receipt', ipfsCid)
}
