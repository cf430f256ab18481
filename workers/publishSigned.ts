import type { Logger } from 'pino'
import { workflowIds, type PublishReceiptInput } from '@perigee/core/workflow'
import type { SigningActivities } from '../activities/signing/createSigningActivities.js'

export interface PublishSignedDeps {
  /** Starts the publication, or finds it started. `signedBy` is the id of the workflow that signs. */
  startPublishingHere: (input: PublishReceiptInput, signedBy: string) => Promise<void>
  log: Pick<Logger, 'warn'>
}

/** The same activities; the publication of what they sign has been started when they return, and they say so. */
export function publishSigned(signing: SigningActivities, deps: PublishSignedDeps): SigningActivities {
  return {
    async signTransaction(input) {
      const signed = await signing.signTransaction(input)
      const { slug, txHash, wallet, chainId } = signed
      try {
        await deps.startPublishingHere(
          { slug, txHash, wallet, chainId },
          workflowIds.sign(input.walletId, input.digest),
        )
        return { ...signed, publishing: true }
      } catch (error) {
        // The signature is committed and its caller must hear of it: the workflow starts the publication.
        deps.log.warn({ err: error }, 'the publication was not started at once')
        return signed
      }
    },
  }
}
