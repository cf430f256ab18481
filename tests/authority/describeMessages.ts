import { Client } from '@temporalio/client'
import { describe, expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { signingIntent } from '@perigee/core/authorisation'
import type { Message } from '@perigee/core/message'
import { taskQueues, workflowIds, workflowTypes, type SignMessageInput } from '@perigee/core/workflow'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { hexOfText } from '../../core/message/testing/texts.js'
import { permit } from '../../core/message/testing/typedData.js'
import { randomHex } from '../../enclave/testing/createTestWorld.js'
import { requestHashOf } from '../rigs/workers/createSigningCalls.js'
import { codeOf, type Authority, type Person } from './startAuthority.js'

const personal: Message = { scheme: 'eip191', message: hexOfText('let the bearer in') }
const typed: Message = { scheme: 'eip712', typedData: permit }

/** The same attackers, who want a message signed: a sign-in or a permit is as good as a transaction. */
export function describeMessages(authority: () => Authority): void {
  const query = (sql: string, values: unknown[]) => authority().service.database.query(sql, values)

  async function messagesOf(address: Hex): Promise<number> {
    const sql = `SELECT count(*)::int AS n FROM messages m JOIN wallets w ON w.id = m.wallet_id WHERE w.address = $1`
    return ((await query(sql, [address])) as { n: number }[])[0]?.n ?? 0
  }

  /** Asks the API. The signature, or the code of the refusal. */
  async function sign({ browser }: Pick<Person, 'browser'>, body: object): Promise<string> {
    const answer = await authority().api.post(browser, '/sign/message', body)
    const { signature, code } = (await answer.json()) as { signature?: string; code?: string }
    return signature ?? code ?? ''
  }

  /** A request of this person, as the API would make it if the person had asked. */
  function genuine({ wallet }: Pick<Person, 'wallet'>, message = personal): Promise<SignMessageInput> {
    const call = { walletId: wallet.id, message, salt: randomHex(32), expiresAtMs: Date.now() + 60_000 }
    return authority().service.messageInput(call)
  }

  async function outcome(client: Client, input: SignMessageInput): Promise<string> {
    const { workflowId } = await client.workflow.start(workflowTypes.signMessage, {
      workflowId: workflowIds.message(input.walletId, input.requestHash),
      taskQueue: taskQueues.sign,
      args: [input],
    })
    return codeOf(authority().service.client.workflow.getHandle(workflowId).result())
  }

  describe('who wants a message signed', () => {
    test('and writes to Temporal without the codec’s keys gets nothing, even with a genuine statement', async () => {
      const { service, newPerson } = authority()
      const victim = await newPerson()
      const plain = new Client({ connection: service.client.connection, namespace: service.namespace })
      expect(await outcome(plain, await genuine(victim))).toBe('payload_refused')
      expect(await messagesOf(victim.wallet.address)).toBe(0)
    })

    test('and has the codec’s keys gets nothing without a statement about exactly this message', async () => {
      const { service, newPerson } = authority()
      const [victim, attacker] = [await newPerson(), await newPerson()]
      const [input, other, ofTyped] = [await genuine(victim), await genuine(victim), await genuine(victim, typed)]
      const refusal = (changes: Partial<SignMessageInput>) => outcome(service.client, { ...input, ...changes })
      const { statement } = input
      expect(await refusal({ statement: { ...statement, signature: `0x${'11'.repeat(64)}` } })).toBe(
        'statement_invalid',
      )
      expect(await refusal({ statement: other.statement })).toBe('statement_invalid') // another salt
      expect(await refusal({ statement: ofTyped.statement })).toBe('statement_invalid') // another kind
      expect(await refusal({ statement: { ...statement, kind: 'sign-transaction' } })).toBe('statement_invalid')
      expect(await refusal({ statement: (await genuine(attacker)).statement })).toBe('statement_invalid')
      expect(await refusal({ statement: { ...statement, subject: attacker.wallet.subject } })).toBe('statement_invalid')
      // Other content under the hash that the statement names.
      expect(await refusal({ message: { scheme: 'eip191', message: hexOfText('let me in') } })).toBe('digest_mismatch')
      expect(await refusal({ message: typed })).toBe('digest_mismatch')
      expect(await messagesOf(victim.wallet.address)).toBe(0)
      expect(await refusal({})).toBe('accepted') // the request itself is good
    })

    test('and writes to Postgres signs with nobody’s key, and without a passkey with none that has owners', async () => {
      const { claim, newPerson, walletOf } = authority()
      const [victim, attacker, owner] = [await newPerson(), await newPerson(), await newPerson()]
      const body = { ...personal, salt: randomHex(32) }
      await query('UPDATE sessions SET user_id = $1 WHERE user_id = $2', [victim.userId, attacker.userId])
      expect(await sign(attacker, body)).toBe('sealed_key_invalid')
      await query('UPDATE wallets SET subject = $1 WHERE id = $2', [attacker.wallet.subject, victim.wallet.id])
      expect(await sign(attacker, body)).toBe('sealed_key_invalid')
      expect(await messagesOf(victim.wallet.address)).toBe(0)

      const [phone, stranger] = [createSoftPasskey(), createSoftPasskey()]
      await claim(owner, phone)
      const { id, address } = await walletOf(owner.userId)
      expect(await sign(owner, body)).toBe('authorisation_required')
      await query('UPDATE wallets SET owners = NULL, since = NULL WHERE id = $1', [id])
      expect(await sign(owner, body)).toBe('sealed_key_invalid')
      const foreign = ownersOf([stranger])
      await query(`UPDATE wallets SET owners = $2, since = 'upgrade' WHERE id = $1`, [id, JSON.stringify(foreign)])
      const digest = requestHashOf({ message: personal, salt: body.salt })
      const asked = { kind: 'message', chainId: 0, digest } as const
      const authorisation = stranger.approve(signingIntent(address, foreign, asked))
      expect(await sign(owner, { ...body, authorisation })).toBe('sealed_key_invalid')
      expect(await messagesOf(address)).toBe(0)
    })

    test('and copies the record of another’s message cannot read the signature, nor pass it off as theirs', async () => {
      const { newPerson } = authority()
      const [victim, attacker] = [await newPerson(), await newPerson()]
      expect(await sign(victim, { ...personal, salt: randomHex(32) })).toMatch(/^0x[0-9a-f]{130}$/)
      const body = { ...personal, salt: randomHex(32) }
      expect(await sign(attacker, body)).toMatch(/^0x[0-9a-f]{130}$/)
      const copy = `UPDATE messages SET sealed_signature = (SELECT sealed_signature FROM messages WHERE wallet_id = $1) WHERE wallet_id = $2`
      // Until its run has ended, a repeated request is answered by the run, not from the record.
      const workflowId = workflowIds.message(attacker.wallet.id, requestHashOf({ message: personal, salt: body.salt }))
      await authority().service.client.workflow.getHandle(workflowId).result()
      await query(copy, [victim.wallet.id, attacker.wallet.id])
      expect(await sign(attacker, body)).toBe('internal_error')
    })
  })
}
