import { EntropySampleEntity } from '../entropy/index.js'
import { SessionEntity } from '../sessions/index.js'
import { UserEntity } from '../users/index.js'
import { AttestationEntity } from './Attestation.js'
import { BundleEntity, PinEntity } from './Bundle.js'
import { PublicationEntity } from './Publication.js'
import { PublisherSlotEntity, PublisherTransactionEntity } from './Publisher.js'
import { TransactionEntity } from './Transaction.js'
import { WalletEntity } from './Wallet.js'

/** Every table, one line each. */
export const entities = [
  UserEntity,
  SessionEntity,
  WalletEntity,
  TransactionEntity,
  AttestationEntity,
  PublicationEntity,
  BundleEntity,
  PinEntity,
  PublisherSlotEntity,
  PublisherTransactionEntity,
  EntropySampleEntity,
]
