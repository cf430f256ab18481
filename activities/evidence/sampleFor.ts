import type { SignDigestInput, SignMessageInput } from '@perigee/core/workflow'

/** One transaction or message of one wallet. */
export type SigningPurpose =
  | ({ kind: 'transaction' } & Pick<SignDigestInput, 'walletId' | 'digest'>)
  | ({ kind: 'message' } & Pick<SignMessageInput, 'walletId' | 'requestHash' | 'salt'>)

/** Names the sample of one signature: the same request always gets the same one. */
export function sampleFor(purpose: SigningPurpose) {
  const asked = purpose.kind === 'message' ? purpose.requestHash : purpose.digest
  return { kind: 'sign', id: `${purpose.walletId}/${asked}` } as const
}
