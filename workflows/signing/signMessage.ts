import type { SignMessageInput } from '@perigee/core/workflow'
import { signAndPublish } from './signDigest.js'

/** Signs one message or typed data, in the same steps as a transaction. */
export async function signMessage(input: SignMessageInput): Promise<void> {
  await signAndPublish({ kind: 'message', ...input })
}
