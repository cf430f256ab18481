import { randomBytes, randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount, sign, type PrivateKeyAccount } from 'viem/accounts'
import { serializeSignature } from 'viem'
import { isTerminal, ServiceError, transactionHash, verifyDigest, type Hex, type ProofPayload } from '@perigee/core'
import {
  hashOf,
  ownersHash,
  verifyStatement,
  zero32,
  zeroAddress,
  type OwnedSince,
  type Stated,
} from '@perigee/core/authorisation'
import { messageKinds, parseMessage, requestHash } from '@perigee/core/message'
import type { NewOwners, ProvisionWalletInput, SignDigestInput, Stated as Request } from '@perigee/core/workflow'
import type { ApiDeps, OwnWallet } from '../ApiDeps.js'

type SignerDeps = Pick<ApiDeps, 'temporal' | 'findWallet' | 'findProof'>

export interface SoftSigner extends SignerDeps {
  /** How often a signature and a wallet were requested, and a wallet at sign-in. */
  calls: { sign: number; provision: number; startProvisioning: number; startResealing: number }
  proofs: Map<string, ProofPayload>
  /** Awaited before each signature; tests slow it down or make it fail. */
  beforeSign: () => Promise<void>
}

/** Stand-in for workflows and enclave: real keys and signatures, records in memory. */
export function createSoftSigner(): SoftSigner {
  const wallets = new Map<string, { wallet: OwnWallet; key: Hex; account: PrivateKeyAccount }>()
  const signed = new Map<string, { signature: Hex; slug: string }>()
  const proofs = new Map<string, ProofPayload>()
  const calls = { sign: 0, provision: 0, startProvisioning: 0, startResealing: 0 }

  /** As the enclave does, apart from the hardware: the statement must be about exactly this. */
  const checkStatement = (
    { coordinator, statement }: Request,
    about: Omit<Stated, 'authorisationHash'>,
    approval: object | null,
  ) =>
    verifyStatement(
      statement,
      { ...about, authorisationHash: approval ? hashOf(approval) : zero32 },
      coordinator.identity.requestKey,
      Math.floor(Date.now() / 1000),
    )

  async function provision({ userId, owned, ...request }: ProvisionWalletInput) {
    calls.provision += 1
    const known = wallets.get(userId)
    if (known) return known
    const digest = ownersHash(owned?.owners ?? null)
    const about = { kind: 'create-key', address: zeroAddress, digest, chainId: 0 } as const
    await checkStatement(request, about, owned?.approval ?? null)
    const key = generatePrivateKey()
    const account = privateKeyToAccount(key)
    const info = {
      address: account.address.toLowerCase() as Hex,
      createdAt: new Date().toISOString(),
      provenance: { entropyHash: `0x${randomBytes(32).toString('hex')}`, entropySig: '', satelliteSource: 'soft' },
    }
    const { subject } = request.statement
    const sealedKey = '0x0101' as const // sealed under version 1; the rest of it nobody reads
    const made = { wallet: { id: randomUUID(), info, subject, sealedKey, ...ownedBy(owned, 'creation') }, key, account }
    wallets.set(userId, made)
    return made
  }

  function ownerOf(walletId: string) {
    const owner = [...wallets.values()].find(({ wallet }) => wallet.id === walletId)
    if (!owner) throw new Error('no such wallet')
    return owner
  }

  /** Signs once for each wallet and request, for the person that the statement names. Of two at once, the first one's slug counts. */
  async function signFor(
    { walletId, approval, ...request }: Pick<SignDigestInput, 'walletId' | 'approval' | 'coordinator' | 'statement'>,
    about: Pick<Stated, 'kind' | 'digest' | 'chainId'>,
    hash: Hex,
  ) {
    const known = signed.get(walletId + about.digest)
    if (known) return known
    const { wallet, key } = ownerOf(walletId)
    await checkStatement(request, { ...about, address: wallet.info.address }, approval)
    if (request.statement.subject !== wallet.subject) {
      throw new ServiceError('sealed_key_invalid', 'the key is another person’s')
    }
    const signature = serializeSignature(await sign({ hash, privateKey: key }))
    const kept = signed.get(walletId + about.digest) ?? { signature, slug: randomBytes(16).toString('base64url') }
    signed.set(walletId + about.digest, kept)
    return kept
  }

  const signer: SoftSigner = {
    calls,
    proofs,
    beforeSign: () => Promise.resolve(),
    findWallet: (userId) => Promise.resolve(wallets.get(userId)?.wallet ?? null),
    findProof: (slug) => Promise.resolve(proofs.get(slug) ?? null),
    temporal: {
      async startProvisioning() {
        calls.startProvisioning += 1
      },
      async provisionWallet(input) {
        const { wallet } = await provision(input)
        return { walletId: wallet.id, address: wallet.info.address }
      },
      async changeOwners({ walletId, ...change }) {
        const { wallet } = ownerOf(walletId)
        const digest = ownersHash(change.owners)
        const about = { kind: 'change-owners', address: wallet.info.address, digest, chainId: 0 } as const
        await checkStatement(change, about, change.approval)
        Object.assign(wallet, ownedBy(change, wallet.since ?? 'upgrade'))
        return { ownersHash: digest }
      },
      async startResealing() {
        calls.startResealing += 1
      },
      async signDigest({ digest, transaction, ...request }) {
        calls.sign += 1
        await signer.beforeSign()
        verifyDigest(transaction, digest)
        const { chainId } = transaction
        const { signature, slug } = await signFor(request, { kind: 'sign-transaction', digest, chainId }, digest)
        if (proofs.has(slug)) return { signature, slug }
        proofs.set(slug, {
          slug,
          kind: 'transaction',
          txHash: transactionHash(transaction, signature),
          chainId,
          walletAddress: ownerOf(request.walletId).wallet.info.address,
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
      async signMessage({ message, salt, ...request }) {
        calls.sign += 1
        await signer.beforeSign()
        const { scheme } = message
        const { digest } = parseMessage(message)
        const asked = requestHash({ scheme, digest, salt })
        return signFor(request, { kind: `sign-${messageKinds[scheme]}`, digest: asked, chainId: 0 }, digest)
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

function ownedBy(owned: NewOwners | null, since: OwnedSince): Pick<OwnWallet, 'owners' | 'since' | 'credentials'> {
  if (!owned) return { owners: null, since: null, credentials: [] }
  return { owners: owned.owners, since, credentials: owned.credentials }
}
