export { parseTxMetadata, txMetadataSchema, type TxMetadata } from './TxMetadata.js'
export {
  parseSignature,
  serializeSigned,
  serializeUnsigned,
  transactionDigest,
  transactionHash,
  verifyDigest,
  verifySigner,
  verifySignerOf,
  type ParsedSignature,
} from './transaction.js'
