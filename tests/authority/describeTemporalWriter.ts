import { Client, type WorkflowHandle } from '@temporalio/client'
import { describe, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { taskQueues, workflowIds, workflowTypes, type SignDigestInput } from '@perigee/core/workflow'
import { createCoordinator } from '../../core/authorisation/testing/createCoordinator.js'
import { createSnp } from '../../core/receipt/testing/simulatedWorld.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { codeOf, type Authority, type Person } from './startAuthority.js'

/** Someone who can start, signal and update every workflow, without the codec's keys or with them. */
export function describeTemporalWriter(authority: () => Authority): void {
  /** A request to sign with this person's wallet, as the API would make it if the person had asked. */
  function genuine({ wallet }: Pick<Person, 'wallet'>, expiresAtMs = Date.now() + 60_000) {
    const transaction = newTransaction()
    const digest = transactionDigest(transaction)
    return authority().service.signInput({ walletId: wallet.id, digest, transaction, expiresAtMs })
  }

  const start = (client: Client, input: SignDigestInput, workflowId = workflowIds.sign(input.walletId, input.digest)) =>
    client.workflow.start(workflowTypes.signDigest, { workflowId, taskQueue: taskQueues.sign, args: [input] })
  const outcome = async (starting: Promise<WorkflowHandle>) => codeOf((await starting).result())

  /** The same server and namespace, and nothing else of ours. */
  const plainClient = () => {
    const { client, namespace } = authority().service
    return new Client({ connection: client.connection, namespace })
  }

  describe('who writes to Temporal', () => {
    test('without the codec’s keys has nothing signed, even with a statement that is genuine', async () => {
      const { service, newPerson, signatures } = authority()
      const victim = await newPerson()
      const run = await start(plainClient(), await genuine(victim))
      await expect(service.client.workflow.getHandle(run.workflowId).result()).rejects.toMatchObject({
        cause: { type: 'payload_refused', message: expect.stringMatching(/not encrypted/) as string },
      })
      expect(await signatures(victim.wallet.address)).toBe(0)
    })

    test('cannot give one workflow’s input to another', async () => {
      const { service, newPerson, signatures } = authority()
      const victim = await newPerson()
      const elsewhere = await service.client.workflow.start(workflowTypes.signDigest, {
        workflowId: 'sign/elsewhere',
        taskQueue: 'without-workers', // so that nothing signs before the input is stolen
        args: [await genuine(victim)],
      })
      const { events } = await elsewhere.fetchHistory()
      const stolen = events?.[0]?.workflowExecutionStartedEventAttributes?.input
      await elsewhere.terminate()
      const workflowId = `sign/${victim.wallet.id}/stolen`
      await service.client.workflowService.startWorkflowExecution({
        namespace: service.namespace,
        workflowId,
        requestId: workflowId,
        workflowType: { name: workflowTypes.signDigest },
        taskQueue: { name: taskQueues.sign },
        input: stolen ?? null,
      })
      await expect(service.client.workflow.getHandle(workflowId).result()).rejects.toMatchObject({
        cause: { type: 'payload_refused', message: expect.stringMatching(/another workflow/) as string },
      })
      expect(await signatures(victim.wallet.address)).toBe(0)
    })

    test('with the codec’s keys has nothing signed without a statement about exactly this, by the attested API', async () => {
      const { service, newPerson, signatures } = authority()
      const [victim, attacker] = [await newPerson(), await newPerson()]
      const { client } = service
      const [input, earlier] = [await genuine(victim), await genuine(victim)]
      const refusal = (changes: Partial<SignDigestInput>) => outcome(start(client, { ...input, ...changes }))
      const signature = `0x${'11'.repeat(64)}` as const

      expect(await refusal({ statement: { ...input.statement, signature } })).toBe('statement_invalid')
      expect(await refusal({ statement: earlier.statement })).toBe('statement_invalid') // for another digest
      expect(await refusal({ statement: (await genuine(attacker)).statement })).toBe('statement_invalid')
      expect(await refusal({ statement: { ...input.statement, subject: attacker.wallet.subject } })).toBe('statement_invalid') // prettier-ignore
      const late = await genuine(victim, Date.now() - 1_000)
      expect(await outcome(start(client, { ...late, expiresAtMs: Date.now() + 60_000 }))).toMatch(/^statement_(expired|invalid)$/) // prettier-ignore
      const { expiresAt } = input.statement
      expect(await refusal({ statement: { ...input.statement, expiresAt: expiresAt + 300 } })).toBe('statement_invalid')
      expect(await signatures(victim.wallet.address)).toBe(0)
    })

    test('cannot attest a coordinator of their own', async () => {
      const { service, newPerson, signatures } = authority()
      const victim = await newPerson()
      const input = await genuine(victim)
      const { address, subject } = victim.wallet
      const own = createCoordinator(await createSnp(Math.floor(Date.now() / 1000))) // a chip of their own, under their own root
      const { digest, chainId } = input.statement
      const statement = own.state({ kind: 'sign-transaction', subject, address, digest, chainId })
      const run = (changes: Partial<SignDigestInput>) => outcome(start(service.client, { ...input, ...changes }))
      expect(await run({ coordinator: own.attestation, statement })).toBe('vek_chain')
      // The genuine report with a key that it does not bind, or with a longer life.
      const { coordinator } = input
      const identity = { ...coordinator.identity, requestKey: own.requestKey }
      expect(await run({ coordinator: { ...coordinator, identity }, statement })).toBe('coordinator_binding_mismatch')
      const longer = { ...coordinator, expiresAt: coordinator.expiresAt + 60 }
      expect(await run({ coordinator: longer })).toBe('coordinator_binding_mismatch')
      expect(await signatures(victim.wallet.address)).toBe(0)
    })

    test('cannot make a wallet in another person’s place with a statement about themselves', async () => {
      const { service, newPerson } = authority()
      const [thief, victim] = [await newPerson(), await service.newUser()]
      const stated = await service.statements.createKey(thief.wallet.subject, null)
      const made = service.temporal.provisionWallet({ userId: victim, owned: null, ...stated })
      expect(await codeOf(made)).toBe('statement_invalid')
      expect((await service.provision(victim)).address).not.toBe(thief.wallet.address) // the victim's place is free
    })

    test('can repeat a request that its owner made, and gets the signature that exists', async () => {
      const { service, newPerson, signatures } = authority()
      const victim = await newPerson()
      const input = await genuine(victim)
      const first = await service.temporal.signDigest(input)
      expect(await service.temporal.signDigest({ ...input, expiresAtMs: Date.now() + 60_000 })).toEqual(first)
      expect(await signatures(victim.wallet.address)).toBe(1)
    })
  })
}
