import type { DataSource } from 'typeorm'
import { findWalletByUser, getProof, toWalletInfo } from '../database/index.js'
import type { ApiDeps } from './ApiDeps.js'

/** Reads wallets and proofs from the database, as the API shows them. */
export function createLookups(database: DataSource, ipfsGatewayUrl: string): Pick<ApiDeps, 'findWallet' | 'findProof'> {
  return {
    async findWallet(userId) {
      const wallet = await findWalletByUser(database, userId)
      if (!wallet) return null
      const { id, subject, sealedKey, owners, since, credentials } = wallet
      return { id, info: toWalletInfo(wallet), subject, sealedKey, owners, since, credentials }
    },
    async findProof(slug) {
      const proof = await getProof(database, slug)
      return proof && { ...proof, ipfsUrl: proof.ipfsCid && `${ipfsGatewayUrl}/ipfs/${proof.ipfsCid}` }
    },
  }
}
