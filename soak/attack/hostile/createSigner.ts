import { randomUUID } from 'node:crypto'
import type { SignDigestResult } from '@perigee/core/workflow'
import { acknowledge, type Acknowledged } from '../../load/acknowledge.js'
import { bodyOf, pathOf } from '../../load/signingRequest.js'
import { createClient } from './createClient.js'
import { createPace } from './createPace.js'
import { hostileRequest } from './hostileRequest.js'
import type { Account, HostilePlan } from './Plan.js'

/** Far more than their share. */
const perSecond = 30
const connections = 40
/** Messages are never sent, so only the shares per day and per second apply to them. */
const messageOneIn = 2

/** Signs as fast as it can, from several addresses in turn. No request is repeated. */
export function createSigner(account: Account, { apiUrls, chainId }: Pick<HostilePlan, 'apiUrls' | 'chainId'>) {
  const client = createClient(account, apiUrls, connections)
  const acknowledged: Acknowledged[] = []
  let turn = 0

  async function sign(): Promise<void> {
    const asked = hostileRequest(turn++ % messageOneIn === 0 ? 'message' : 'transaction', chainId)
    const operation = asked.kind === 'message' ? 'signMessage' : 'signDigest'
    const body = JSON.stringify(bodyOf(asked))
    const headers = { ...account.headers, 'idempotency-key': randomUUID() }
    const from = Date.now()
    const answer = await client.ask({ operation, method: 'POST', path: pathOf(asked), headers, body })
    if (answer?.status !== 200) return
    const result = JSON.parse(answer.text) as SignDigestResult
    const { wallet } = account
    acknowledged.push(acknowledge(asked, result, { user: -1, wallet, attempts: 1, from, to: Date.now() }))
  }

  return { client, acknowledged, ...createPace(perSecond, () => void sign()) }
}
