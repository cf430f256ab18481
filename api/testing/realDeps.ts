import { findWalletByUser, getProof, toWalletInfo } from '../../database/index.js'
import type { TestService } from '../../tests/rigs/startService.js'
import type { ApiDeps } from '../ApiDeps.js'

/** What `openDeps` makes of a database and Temporal, for an API whose workflows, worker and enclave are real. */
export function realDeps({
  database,
  temporal,
}: Pick<TestService, 'database' | 'temporal'>): Pick<ApiDeps, 'database' | 'temporal' | 'findWallet' | 'findProof'> {
  return {
    database,
    temporal,
    async findWallet(userId) {
      const wallet = await findWalletByUser(database, userId)
      return wallet && { id: wallet.id, info: toWalletInfo(wallet) }
    },
    async findProof(slug) {
      const proof = await getProof(database, slug)
      return proof && { ...proof, ipfsUrl: null }
    },
  }
}
