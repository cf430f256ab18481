import type { DataSource } from 'typeorm'
import type { Hex, TxMetadata } from '@perigee/core'
import { zero32, zeroAddress, type PasskeyApproval, type Signable } from '@perigee/core/authorisation'
import { messageKinds, parseMessage, requestHash, type Message } from '@perigee/core/message'
import type { SignDigestInput, SignMessageInput } from '@perigee/core/workflow'
import type { Statements } from '../../../api/authority/createStatements.js'
import { findWallet } from '../../../database/index.js'
import { signTimeoutMs, type TemporalClient } from '../../../temporal/index.js'

interface Call {
  walletId: string
  approval?: PasskeyApproval | null
  expiresAtMs?: number
}

/** A request to sign a transaction, as a test makes it. */
export interface SignCall extends Call {
  digest: Hex
  transaction: TxMetadata
}

/** The same for a message. */
export interface MessageCall extends Call {
  message: Message
  salt: Hex
}

/** Stands where a transaction has its digest. */
export function requestHashOf({ message, salt }: Pick<MessageCall, 'message' | 'salt'>): Hex {
  return requestHash({ scheme: message.scheme, digest: parseMessage(message).digest, salt })
}

interface CallDeps {
  database: DataSource
  statements: Statements
  temporal: Pick<TemporalClient, 'signDigest' | 'signMessage'>
}

/** Signs as the API does for a wallet's owner. */
export function createSigningCalls({ database, statements, temporal }: CallDeps) {
  async function inputOf(
    { walletId, approval = null, expiresAtMs = Date.now() + signTimeoutMs }: Call,
    asked: Signable,
  ) {
    const wallet = await findWallet(database, walletId).catch(() => null)
    const { address, subject } = wallet ?? { address: zeroAddress, subject: zero32 }
    const stated = await statements.sign(subject, { ...asked, address, approval, expiresAtMs })
    return { walletId, approval, expiresAtMs, ...stated }
  }

  async function signInput(call: SignCall): Promise<SignDigestInput> {
    const { digest, transaction } = call
    const input = await inputOf(call, { kind: 'transaction', digest, chainId: transaction.chainId })
    return { ...input, digest, transaction }
  }

  async function messageInput(call: MessageCall): Promise<SignMessageInput> {
    const { message, salt } = call
    const asked = requestHashOf(call)
    const input = await inputOf(call, { kind: messageKinds[message.scheme], digest: asked, chainId: 0 })
    return { ...input, requestHash: asked, message, salt }
  }

  return {
    /** Inputs of the two workflows as the API makes them. */
    signInput,
    messageInput,
    sign: async (call: SignCall) => temporal.signDigest(await signInput(call)),
    signMessage: async (call: MessageCall) => temporal.signMessage(await messageInput(call)),
  }
}
