import { EntitySchema } from 'typeorm'
import type { Hex } from '@perigee/core'
import type { MessageScheme } from '@perigee/core/message'
import { nullable, of, primary, text, uuid, type Row } from './columns.js'
import { PublicationEntity, type Publication } from './Publication.js'
import { WalletEntity } from './Wallet.js'

const columns = {
  slug: primary(text),
  walletId: { ...uuid, foreignKey: { target: WalletEntity } },
  /** Commits to the content; only those who know its salt can tell what it is. */
  requestHash: of<Hex>(text),
  scheme: of<MessageScheme>(text),
  /** See sealSignature.ts. Null when the record was recovered from its receipt, which does not show the signature. */
  sealedSignature: nullable(of<Hex>(text)),
}

/** One signature over one message. Holds neither the content nor the salt, and the signature only encrypted. */
export type Message = Row<typeof columns>

export const MessageEntity = new EntitySchema<Message & { publication: Publication }>({
  name: 'Message',
  tableName: 'messages',
  columns,
  relations: {
    publication: {
      type: 'many-to-one',
      target: PublicationEntity,
      joinColumn: { name: 'slug', referencedColumnName: 'slug' },
    },
  },
  uniques: [{ columns: ['walletId', 'requestHash'] }],
  checks: [
    { name: 'messages_request_hash_check', expression: `request_hash ~ '^0x[0-9a-f]{64}$'` },
    { name: 'messages_scheme_check', expression: `scheme IN ('eip191', 'eip712')` },
  ],
})
