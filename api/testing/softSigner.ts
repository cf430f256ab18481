import { randomBytes, randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount, sign, type PrivateKeyAccount } from 'viem/accounts'
import { serializeSignature } from 'viem'
import { isTerminal, transactionHash, verifyDigest, type Hex, type ProofPayload } from '@perigee/core'
import type { ApiDeps, OwnWallet } from '../ApiDeps.js'

type SignerDeps = Pick<ApiDeps, 'temporal' | 'findWallet' | 'findProof'>

export interface SoftSigner extends SignerDeps {
  /** How often a signature and a wallet were requested. */
  calls: { sign: number; provision: number }
  proofs: Map<string, ProofPayload>
  /** Awaited before each signature; tests slow it down or make it fail. */
  beforeSign: () => Promise<void>
}

/** Stand-in for workflows and enclave: real keys and signatures, records in memory. */
export function createSoftSigner(): SoftSigner {
  const wallets = new Map<string, { wallet: OwnWallet; key: Hex; account: PrivateKeyAccount }>()
  const signed = new Map<string, { signature: Hex; slug: string }>()
  const proofs = new Map<string, ProofPayload>()
  const calls = { sign: 0, provision: 0 }

  function provision(userId: string) {
    calls.provision += 1
    const known = wallets.get(userId)
    if (known) return known
    const key = generatePrivateKey()
    const account = privateKeyToAccount(key)
    const info = {
      address: account.address.toLowerCase() as Hex,
      createdAt: new Date().toISOString(),
      provenance: { entropyHash: `0x${randomBytes(32).toString('hex')}`, entropySig: '', satelliteSource: 'soft' },
    }
    const made = { wallet: { id: randomUUID(), info }, key, account }
    wallets.set(userId, made)
    return made
  }

  const signer: SoftSigner = {
    calls,
    proofs,
    beforeSign: () => Promise.resolve(),
    findWallet: (userId) => Promise.resolve(wallets.get(userId)?.wallet ?? null),
    findProof: (slug) => Promise.resolve(proofs.get(slug) ?? null),
    temporal: {
      startProvisioning: () => Promise.resolve(),
      async provisionWallet(userId) {
        const { wallet } = provision(userId)
        return { walletId: wallet.id, address: wallet.info.address }
      },
      async signDigest({ walletId, digest, transaction }) {
        calls.sign += 1
        await signer.beforeSign()
        verifyDigest(transaction, digest)
        const known = signed.get(walletId + digest)
        if (known) return known
        const owner = [...wallets.values()].find(({ wallet }) => wallet.id === walletId)
        if (!owner) throw new Error('no such wallet')
        const signature = serializeSignature(await sign({ hash: digest, privateKey: owner.key }))
        const slug = randomBytes(16).toString('base64url')
        signed.set(walletId + digest, { signature, slug })
        proofs.set(slug, {
          slug,
          txHash: transactionHash(transaction, signature),
          chainId: transaction.chainId,
          walletAddress: owner.wallet.info.address,
          status: 'pending_pin',
          ipfsCid: null,
          ipfsUrl: null,
          onchainTxHash: null,
          onchainBlockNumber: null,
          kmsQuoteVerified: false,
          receipt: null,
          createdAt: new Date().toISOString(),
        })
        return { signature, slug }
      },
      async queryProof(slug) {
        const proof = proofs.get(slug)
        if (!proof || isTerminal(proof.status)) return null
        const { status, ipfsCid, onchainTxHash, onchainBlockNumber, createdAt: since } = proof
        return { slug, status, since, ipfsCid, onchainTxHash, onchainBlockNumber, failure: null }
      },
    },
  }
  return signer
}
