import { defaultPayloadConverter, type Payload, type PayloadCodec } from '@temporalio/common'
import { workflowIds, type SignDigestInput } from '@perigee/core/workflow'

/**
 * Has a signature begun when its workflow task arrives. Until the workflow asks for it, some 5 ms pass in threads and in
 * Temporal's core, in which the enclave can work. A codec is the first of our code that sees a task: this one changes no
 * payload, and stands where they are decrypted already. It sees the tasks of a replay too, whose signatures are found made.
 */
export function beginOnArrival(begin: (input: SignDigestInput) => void): PayloadCodec {
  return {
    encode: (payloads) => Promise.resolve(payloads),
    decode(payloads, context) {
      if (context?.type === 'workflow' && context.workflowId) {
        const input = payloads.length === 1 ? signInputOf(payloads[0] as Payload, context.workflowId) : null
        if (input) begin(input)
      }
      return Promise.resolve(payloads)
    },
  }
}

/** Of all that a task may carry, only the input of a signing workflow names the digest that its id names. */
function signInputOf(payload: Payload, workflowId: string): SignDigestInput | null {
  if (!workflowId.startsWith('sign/')) return null
  const input = defaultPayloadConverter.fromPayload<Partial<SignDigestInput> | null>(payload)
  if (!input?.walletId || !input.digest || !input.transaction) return null
  return workflowIds.sign(input.walletId, input.digest) === workflowId ? (input as SignDigestInput) : null
}
