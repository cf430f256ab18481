import type { PasskeyApproval } from '@perigee/core/authorisation'
import type { Asked } from './createUser.js'

/** The route that signs this. */
export const pathOf = ({ kind }: Pick<Asked, 'kind'>): string =>
  kind === 'transaction' ? '/sign/digest' : '/sign/message'

/** What the route takes; with the approval of a wallet that has owners. */
export const bodyOf = (asked: Asked, authorisation: PasskeyApproval | null = null) => ({
  ...(asked.kind === 'transaction'
    ? { digest: asked.hash, txMetadata: asked.txMetadata }
    : { ...asked.message, salt: asked.salt }),
  ...(authorisation && { authorisation }),
})
