import { parseEther } from 'viem'
import { vi } from 'vitest'
import {
  parseOwners,
  signingIntent,
  verifyOwnersApproval,
  verifyPasskeyApproval,
  type OwnersRecord,
} from '../../../core/authorisation/index.js'
import { messageKinds, parseMessage, requestHash } from '../../../core/message/index.js'
import { startInMemoryService, testClient } from '../../testing/index.js'
import type { Hex, OwnersChange, ServiceClientConfig, SignDigestRequest, SignMessageRequest } from '../../types.js'
import { createSoftAuthenticators } from './createSoftAuthenticators.js'

/** The in-memory service and a page with soft passkeys. Whatever the page sends is verified with core as well. */
export async function startOwned() {
  const service = await startInMemoryService({ publishing: 'manual' })
  const authenticators = createSoftAuthenticators()
  authenticators.install()
  const verified: string[] = []
  let owned: { address: Hex; owners: OwnersRecord } | null = null
  const nodeFetch = globalThis.fetch

  /** What the enclave would say to this body. */
  async function verify(path: string, body: string): Promise<void> {
    const now = Math.floor(Date.now() / 1000)
    if (path === '/sign/digest') {
      const { digest, txMetadata, authorisation } = JSON.parse(body) as SignDigestRequest
      if (!authorisation || !owned) return
      const asked = { kind: 'transaction', chainId: txMetadata.chainId, digest } as const
      const intent = signingIntent(owned.address, owned.owners, asked)
      await verifyPasskeyApproval(authorisation, owned.owners.credentials, intent)
    } else if (path === '/sign/message') {
      const { salt, authorisation, ...content } = JSON.parse(body) as SignMessageRequest
      if (!authorisation || !owned) return
      const { message, digest } = parseMessage(content)
      const { scheme } = message
      const asked = { kind: messageKinds[scheme], chainId: 0, digest: requestHash({ scheme, digest, salt }) }
      const intent = signingIntent(owned.address, owned.owners, asked)
      await verifyPasskeyApproval(authorisation, owned.owners.credentials, intent)
    } else {
      const { owners, approval } = JSON.parse(body) as OwnersChange
      const next = parseOwners(owners)
      const address = path === '/wallet/owners' ? { address: owned?.address ?? walletAddress } : {}
      await verifyOwnersApproval(approval, { ...address, current: owned?.owners ?? null, next }, now)
    }
    verified.push(path)
  }

  let walletAddress: Hex = '0x'
  const asks =
    (cookie: string): typeof fetch =>
    async (input, init) => {
      const path = new URL(String(input)).pathname
      // What core refuses, the service must refuse too: `verified` then lacks it.
      if (typeof init?.body === 'string') await verify(path, init.body).catch(() => undefined)
      const answer = await nodeFetch(input, { ...init, headers: { ...init?.headers, cookie, origin: service.origin } })
      if (path === '/wallet/owners' && answer.ok) {
        const { owners, address } = (await answer.clone().json()) as { owners: OwnersRecord | null; address: Hex }
        walletAddress = address
        owned = owners && { owners, address }
      }
      return answer
    }
  return {
    service,
    authenticators,
    /** Paths of the requests that core has accepted. */
    verified,
    client(email = 'ada@example.test', extra: Partial<ServiceClientConfig> = {}) {
      return testClient(service, email, { fetch: asks(service.signIn(email)), ...extra })
    },
    /** A client whose wallet was made with a passkey and has money. */
    async enrolled() {
      const client = this.client()
      const { owners, recoveryCode } = await client.owners.enrol({ label: 'Laptop' })
      this.fund(owners.address)
      return { client, owners, code: recoveryCode ?? '', laptop: authenticators.device() }
    },
    fund: (address: Hex) => service.setBalance(address, parseEther('10')),
    async close() {
      vi.unstubAllGlobals()
      await service.close()
    },
  }
}
