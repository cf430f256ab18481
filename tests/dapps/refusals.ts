/** A button of the test dapp that is out of scope or must be refused, with the error that it shows. */
interface Refusal {
  button: string
  method: string
  code: number
  message: string
  /** The element that shows the message; null for buttons that show none. */
  shown: string | null
}

export const refusals: Refusal[] = [
  {
    button: 'siweBadDomain',
    method: 'personal_sign',
    code: 4100,
    message: 'the sign-in message is for another site than the one that asks',
    shown: 'siweResult',
  },
  {
    button: 'siweBadAccount',
    method: 'personal_sign',
    code: 4100,
    message: 'The sign-in message names another account than this wallet.',
    shown: 'siweResult',
  },
  {
    button: 'siweMalformed',
    method: 'personal_sign',
    code: -32602,
    message: 'not a strict EIP-4361 message: URI is expected',
    shown: 'siweResult',
  },
  {
    button: 'ethSign',
    method: 'eth_sign',
    code: 4200,
    message: 'eth_sign is not supported: nobody can see what a hash stands for. Use personal_sign.',
    shown: 'ethSign',
  },
  {
    button: 'signTypedData',
    method: 'eth_signTypedData',
    code: 4200,
    message: 'eth_signTypedData is not supported: only version 4 names all that it signs. Use eth_signTypedData_v4.',
    shown: 'signTypedDataResult',
  },
  {
    button: 'signTypedDataV3',
    method: 'eth_signTypedData_v3',
    code: 4200,
    message: 'eth_signTypedData_v3 is not supported: only version 4 names all that it signs. Use eth_signTypedData_v4.',
    shown: 'signTypedDataV3Result',
  },
  {
    button: 'signSeaportBulkOrder',
    method: 'eth_signTypedData_v4',
    code: -32602,
    message: 'OrderComponents has no member totalOriginalConsiderationItems',
    shown: 'signPermitVariantResult',
  },
  {
    button: 'signInvalidType',
    method: 'eth_signTypedData_v4',
    code: -32602,
    message: 'there is no type ConsiderationItem[+',
    shown: 'signMalformedResult',
  },
  {
    button: 'signEmptyDomain',
    method: 'eth_signTypedData_v4',
    code: -32602,
    message: 'the domain is empty: the signature would be valid everywhere',
    shown: 'signMalformedResult',
  },
  {
    button: 'signExtraDataNotTyped',
    method: 'eth_signTypedData_v4',
    code: -32602,
    message: 'Wallet has no member extraData',
    shown: 'signMalformedResult',
  },
  {
    button: 'signInvalidPrimaryType',
    method: 'eth_signTypedData_v4',
    code: -32602,
    message: 'primaryType is not one of the types',
    shown: 'signMalformedResult',
  },
  {
    button: 'signNoPrimaryTypeDefined',
    method: 'eth_signTypedData_v4',
    code: -32602,
    message: 'typed data lacks types, primaryType, domain or message',
    shown: 'signMalformedResult',
  },
  {
    button: 'signInvalidVerifyingContractType',
    method: 'eth_signTypedData_v4',
    code: -32602,
    message: 'write the address as a string: it is not exact',
    shown: 'signMalformedResult',
  },
  {
    button: 'sendWithInvalidValue',
    method: 'eth_sendTransaction',
    code: -32602,
    message: 'invalid is not an integer in hex.',
    shown: 'sendMalformedResult',
  },
  {
    button: 'sendWithInvalidTxType',
    method: 'eth_sendTransaction',
    code: -32602,
    message: 'type 0x5 is not supported',
    shown: 'sendMalformedResult',
  },
  {
    button: 'sendWithInvalidRecipient',
    method: 'eth_sendTransaction',
    code: -32602,
    message: 'to is not an address.',
    shown: 'sendMalformedResult',
  },
  {
    button: 'getEncryptionKeyButton',
    method: 'eth_getEncryptionPublicKey',
    code: 4200,
    message: 'eth_getEncryptionPublicKey is not supported: the key in the enclave only signs.',
    shown: 'encryptionKeyDisplay',
  },
  {
    button: 'eip5792SendCallsButton',
    method: 'wallet_sendCalls',
    code: 4200,
    message: 'wallet_sendCalls is not supported: use eth_sendTransaction.',
    shown: 'eip5792SendCallsError',
  },
  {
    button: 'eip747WatchButton',
    method: 'wallet_watchAsset',
    code: 4200,
    message: 'wallet_watchAsset is not supported: this wallet does not implement it.',
    shown: null,
  },
  {
    button: 'addEthereumChain',
    method: 'wallet_addEthereumChain',
    code: 4902,
    message: 'This wallet is not on chain 1338.',
    shown: null,
  },
  {
    button: 'switchEthereumChain',
    method: 'wallet_switchEthereumChain',
    code: 4902,
    message: 'This wallet is not on chain 1338.',
    shown: null,
  },
  {
    button: 'deployButton',
    method: 'eth_sendTransaction',
    code: -32602,
    message: 'to is not an address.',
    shown: null,
  },
]
