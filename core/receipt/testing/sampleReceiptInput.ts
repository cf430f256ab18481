import { secp256k1 } from '@noble/curves/secp256k1'
import { zero32 } from '../../authorisation/index.js'
import { concatBytes, fromHex, toHex, type Hex } from '../../bytes/index.js'
import { simulatedBootLog } from '../../simulation/index.js'
import { transactionDigest, type TxMetadata } from '../../transaction/index.js'
import type { ReceiptInput } from '../buildReceipt.js'
import { keyIdOf } from '../addressOfPublicKey.js'

const privateKey = fromHex(`0x${'11'.repeat(32)}`)
const samplePublicKey = toHex(secp256k1.getPublicKey(privateKey, true))

export const sampleTransaction: TxMetadata = {
  chainId: 11155111,
  nonce: 7,
  to: '0x00000000000000000000000000000000DeaDBeef',
  value: '1000000000000000',
  data: '0xABCD',
  gas: '21000',
  maxFeePerGas: '30000000000',
  maxPriorityFeePerGas: '1000000000',
}

/** A true signature over a transaction: 65 bytes, low s, v 27 or 28. */
export function signSample(transaction: TxMetadata): Hex {
  return signSampleDigest(transactionDigest(transaction))
}

export function signSampleDigest(digest: Hex): Hex {
  const signature = secp256k1.sign(digest.slice(2), privateKey, { lowS: true })
  return toHex(concatBytes(signature.toCompactRawBytes(), Uint8Array.of(27 + signature.recovery)))
}

/** Input of the right shape whose quote and report are not real: for building and parsing, not for verifying. */
export function sampleReceiptInput(): ReceiptInput {
  return {
    issuedAt: '2026-11-15T02:30:00.000Z',
    transaction: sampleTransaction,
    signature: signSample(sampleTransaction),
    signer: {
      platform: 'simulated',
      keyId: keyIdOf(samplePublicKey),
      publicKey: samplePublicKey,
      birthCid: 'bafkreidu66x7r7h5mb5ofxjmsbb2cgktwsmqm3yszmh7xsvedgkqgvr3zm',
      nonce: `0x${'22'.repeat(32)}`,
      policy: {
        version: 1,
        transactionTypes: ['eip1559'],
        messageSchemes: ['eip191', 'eip712'],
        chainIds: [1, 31337, 11155111],
        maxFeePerGas: '10000000000000',
        maxFee: '1000000000000000000',
        maxValue: '10000000000000000000000',
        entropy: { minimum: 'simulated', maxAgeSeconds: 600 },
        authorisation: 'statement-and-owners',
      },
      signedAt: 1794709800,
      quote: `0x${'44'.repeat(4000)}`,
      runtimeEvents: simulatedBootLog,
      collateralCid: 'bafkreidu66x7r7h5mb5ofxjmsbb2cgktwsmqm3yszmh7xsvedgkqgvr3zm',
      rootFingerprint: `0x${'55'.repeat(32)}`,
      verifiedAt: 1794709800,
      tcbStatus: 'UpToDate',
      advisoryIds: [],
    },
    coordinator: {
      report: `0x${'66'.repeat(1184)}`,
      vek: `0x${'77'.repeat(1000)}`,
      intermediate: `0x${'88'.repeat(1000)}`,
      rootFingerprint: `0x${'99'.repeat(32)}`,
      identity: {
        service: 'perigee',
        requestKey: `0x02${'aa'.repeat(32)}`,
        publishers: [`0x${'bb'.repeat(20)}`],
      },
      nonce: `0x${'cc'.repeat(32)}`,
      fetchedAt: 1794709000,
      expiresAt: 1794716200,
    },
    authorisation: {
      level: 'coordinator-attested',
      statement: {
        kind: 'sign-transaction',
        subject: `0x${'5b'.repeat(32)}`,
        address: `0x${'00'.repeat(20)}`,
        digest: transactionDigest(sampleTransaction),
        chainId: sampleTransaction.chainId,
        issuedAt: 1794709799,
        expiresAt: 1794709814,
        authorisationHash: zero32,
        signature: `0x${'5c'.repeat(64)}`,
      },
      passkey: null,
    },
    entropy: {
      version: 1,
      source: 'simulated-satellite',
      provenance: 'simulated',
      value: `0x${'dd'.repeat(32)}`,
      producedAt: 1794709700,
      receivedAt: 1794709701,
      sequence: '42',
      signature: { algorithm: 'ed25519', keyId: 'sim-1', value: `0x${'ee'.repeat(64)}` },
      beacon: null,
    },
    publication: { chainId: 31337, contract: `0x${'F0'.repeat(20)}` },
    trustAnchorsCid: 'bafkreidu66x7r7h5mb5ofxjmsbb2cgktwsmqm3yszmh7xsvedgkqgvr3zm',
    spec: 'https://perigee.example/docs/receipt-v1',
    instructions: 'https://perigee.example/docs/receipt-v1#check-it-yourself',
  }
}
