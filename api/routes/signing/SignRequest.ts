import type { Response } from 'express'
import type { PasskeyApproval, Signable } from '@perigee/core/authorisation'

/** A request to sign, once it is parsed. */
export interface SignRequest<Content> extends Signable {
  content: Content
  /** The chain that must be allowed; null where none is concerned. */
  concernedChain: number | null
  approval: PasskeyApproval | null
}

export const signRequestOf = <Content>(res: Response) => res.locals['signRequest'] as SignRequest<Content>
