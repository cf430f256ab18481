import { AttestationEntity } from './Attestation.js'
import { AuditAnchorEntity, AuditEventEntity, AuditHeadEntity } from './AuditEvent.js'
import { BundleEntity, PinEntity } from './Bundle.js'
import { CollateralStateEntity } from './CollateralState.js'
import { CpuDayEntity } from './CpuDay.js'
import { EntropySampleEntity, UsedEntropyEntity } from './EntropySample.js'
import { EntropySourceEntity, EntropyStreamEntity, EntropySupplyEntity } from './EntropySource.js'
import { MessageEntity } from './Message.js'
import { PublicationEntity } from './Publication.js'
import { PublisherSlotEntity, PublisherTransactionEntity } from './Publisher.js'
import { RepairEntity } from './Repair.js'
import { ResealEntity } from './Reseal.js'
import { IdempotencyKeyEntity, RateLimitEntity } from './Request.js'
import { SessionEntity, SignInTransactionEntity } from './Session.js'
import { TransactionEntity } from './Transaction.js'
import { SigningClaimEntity, StreamPlaceEntity, UsageDayEntity } from './Usage.js'
import { UserEntity } from './User.js'
import { WalletEntity } from './Wallet.js'
import { WebhookApplicationEntity, WebhookDeliveryEntity } from './Webhook.js'

/** Every table. */
export const entities = [
  UserEntity,
  SessionEntity,
  SignInTransactionEntity,
  RateLimitEntity,
  IdempotencyKeyEntity,
  UsageDayEntity,
  SigningClaimEntity,
  StreamPlaceEntity,
  AuditEventEntity,
  AuditHeadEntity,
  WalletEntity,
  TransactionEntity,
  MessageEntity,
  AttestationEntity,
  BundleEntity,
  PinEntity,
  PublicationEntity,
  PublisherSlotEntity,
  PublisherTransactionEntity,
  AuditAnchorEntity,
  RepairEntity,
  EntropySampleEntity,
  UsedEntropyEntity,
  EntropyStreamEntity,
  EntropySourceEntity,
  EntropySupplyEntity,
  CollateralStateEntity,
  CpuDayEntity,
  ResealEntity,
  WebhookApplicationEntity,
  WebhookDeliveryEntity,
]
