import type { Hex } from '@perigee/core'
import type { MessageScheme } from '@perigee/core/message'
import { nullable, of, primary, references, table, text, uuid, type RowOf } from './columns.js'
import { PublicationEntity } from './Publication.js'
import { WalletEntity } from './Wallet.js'

/** Signatures over messages. Holds neither the content nor the salt, and the signature only encrypted. */
export const MessageEntity = table({
  name: 'Message',
  tableName: 'messages',
  columns: {
    slug: primary(references(PublicationEntity, text)),
    walletId: references(WalletEntity, uuid),
    /** Commits to the content; only those who know its salt can tell what it is. */
    requestHash: of<Hex>(text),
    scheme: of<MessageScheme>(text),
    /** See sealSignature.ts. Null when the record was recovered from its receipt, which does not show the signature. */
    sealedSignature: nullable(of<Hex>(text)),
  },
  uniques: [{ columns: ['walletId', 'requestHash'] }],
  checks: [
    { name: 'messages_request_hash_check', expression: `request_hash ~ '^0x[0-9a-f]{64}$'` },
    { name: 'messages_scheme_check', expression: `scheme IN ('eip191', 'eip712')` },
  ],
})
export type Message = RowOf<typeof MessageEntity>
