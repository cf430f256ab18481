import { randomUUID } from 'node:crypto'
import { transactionHash } from '@perigee/core'
import type { SignDigestResult } from '@perigee/core/workflow'
import type { Acknowledged } from '../../load/clientLog.js'
import { bodyOf } from '../../load/createDriver.js'
import { createClient } from './createClient.js'
import { createPace } from './createPace.js'
import { hostileRequest } from './hostileRequest.js'
import type { Account, HostilePlan } from './Plan.js'

/** Six times the share of a second. */
const perSecond = 30
const connections = 40
/** Messages need not be sent, so only the day's share and the second's hold for them. */
const messageOneIn = 2

/** Has as much signed as it can, from several addresses in turn, and never asks for the same twice. */
export function createSigner(account: Account, { apiUrls, chainId }: Pick<HostilePlan, 'apiUrls' | 'chainId'>) {
  const client = createClient(account, apiUrls, connections)
  const acknowledged: Acknowledged[] = []
  let turn = 0

  async function sign(): Promise<void> {
    const asked = hostileRequest(turn++ % messageOneIn === 0 ? 'message' : 'transaction', chainId)
    const operation = asked.kind === 'message' ? 'signMessage' : 'signDigest'
    const path = asked.kind === 'message' ? '/sign/message' : '/sign/digest'
    const headers = { ...account.headers, 'idempotency-key': randomUUID() }
    const from = Date.now()
    const answer = await client.ask({ operation, method: 'POST', path, headers, body: JSON.stringify(bodyOf(asked)) })
    if (answer?.status !== 200) return
    const { slug, signature } = JSON.parse(answer.text) as SignDigestResult
    acknowledged.push({
      at: new Date().toISOString(),
      user: -1,
      kind: asked.kind,
      wallet: account.wallet,
      digest: asked.hash,
      signedHash: asked.kind === 'message' ? asked.signedHash : asked.hash,
      txHash: asked.kind === 'message' ? null : transactionHash(asked.txMetadata, signature),
      slug,
      signature,
      attempts: 1,
      ms: Date.now() - from,
    })
  }

  return { client, acknowledged, ...createPace(perSecond, () => void sign()) }
}
