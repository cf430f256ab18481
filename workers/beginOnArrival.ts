import { setTimeout as sleep } from 'node:timers/promises'
import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common'
import { workflowIds, type SignDigestInput } from '@perigee/core/workflow'

/** Longer than a commit takes, and nothing beside the five seconds of a workflow task. */
const callerFirstMs = 25

/**
 * Has a signature begun when its workflow task arrives. Until the workflow asks for it, some 5 ms pass in threads and in
 * Temporal's core, in which the enclave can work. A task whose signature is being committed for a caller in this process
 * waits for that: where cores are few, the workflow would take turns with the answer.
 *
 * A codec is the first of our code that sees a task: this one changes no payload, and stands where they are decrypted
 * already. It sees the tasks of a replay too, whose signatures are found made.
 */
export function beginOnArrival(arrived: (input: SignDigestInput) => Promise<unknown> | undefined): PayloadCodec {
  return {
    encode: (payloads) => Promise.resolve(payloads),
    async decode(payloads, context) {
      const input = context?.type === 'workflow' && signInputOf(payloads, context.workflowId)
      const committing = input && arrived(input)
      if (committing) await Promise.race([committing.catch(() => undefined), sleep(callerFirstMs)])
      return payloads
    },
  }
}

/** Of all that a task may carry, only the input of a signing workflow names the digest that its id names. */
function signInputOf(payloads: Payload[], workflowId: string): SignDigestInput | null {
  const [payload, ...others] = payloads
  if (!payload || others.length > 0 || !workflowId.startsWith('sign/')) return null
  const input = defaultPayloadConverter.fromPayload<Partial<SignDigestInput> | null>(payload)
  if (!input?.walletId || !input.digest || !input.transaction) return null
  return workflowIds.sign(input.walletId, input.digest) === workflowId ? (input as SignDigestInput) : null
}
