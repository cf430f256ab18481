/** A button of the test dapp that is out of scope or must be refused, with the error that it shows. */
interface Refusal {
  button: string
  method: string
  code: number
  message: string
  /** The element that shows the message; null for buttons that show none. */
  shown: string | null
}

type Row = [button: string, shown: string | null, message: string]

const refused = (method: string, code: number, rows: Row[]): Refusal[] =>
  rows.map(([button, shown, message]) => ({ button, method, code, message, shown }))

const onlyV4 = 'is not supported: only version 4 names all that it signs. Use eth_signTypedData_v4.'

export const refusals: Refusal[] = [
  ...refused('personal_sign', 4100, [
    ['siweBadDomain', 'siweResult', 'the sign-in message is for another site than the one that asks'],
    ['siweBadAccount', 'siweResult', 'The sign-in message names another account than this wallet.'],
  ]),
  ...refused('personal_sign', -32602, [
    ['siweMalformed', 'siweResult', 'not a strict EIP-4361 message: URI is expected'],
  ]),
  ...refused('eth_sign', 4200, [
    ['ethSign', 'ethSign', 'eth_sign is not supported: nobody can see what a hash stands for. Use personal_sign.'],
  ]),
  ...refused('eth_signTypedData', 4200, [['signTypedData', 'signTypedDataResult', `eth_signTypedData ${onlyV4}`]]),
  ...refused('eth_signTypedData_v3', 4200, [
    ['signTypedDataV3', 'signTypedDataV3Result', `eth_signTypedData_v3 ${onlyV4}`],
  ]),
  ...refused('eth_signTypedData_v4', -32602, [
    [
      'signSeaportBulkOrder',
      'signPermitVariantResult',
      'OrderComponents has no member totalOriginalConsiderationItems',
    ],
    ['signInvalidType', 'signMalformedResult', 'there is no type ConsiderationItem[+'],
    ['signEmptyDomain', 'signMalformedResult', 'the domain is empty: the signature would be valid everywhere'],
    ['signExtraDataNotTyped', 'signMalformedResult', 'Wallet has no member extraData'],
    ['signInvalidPrimaryType', 'signMalformedResult', 'primaryType is not one of the types'],
    ['signNoPrimaryTypeDefined', 'signMalformedResult', 'typed data lacks types, primaryType, domain or message'],
    ['signInvalidVerifyingContractType', 'signMalformedResult', 'write the address as a string: it is not exact'],
  ]),
  ...refused('eth_sendTransaction', -32602, [
    ['sendWithInvalidValue', 'sendMalformedResult', 'invalid is not an integer in hex.'],
    ['sendWithInvalidTxType', 'sendMalformedResult', 'type 0x5 is not supported'],
    ['sendWithInvalidRecipient', 'sendMalformedResult', 'to is not an address.'],
  ]),
  ...refused('eth_getEncryptionPublicKey', 4200, [
    [
      'getEncryptionKeyButton',
      'encryptionKeyDisplay',
      'eth_getEncryptionPublicKey is not supported: the key in the enclave only signs.',
    ],
  ]),
  ...refused('wallet_sendCalls', 4200, [
    ['eip5792SendCallsButton', 'eip5792SendCallsError', 'wallet_sendCalls is not supported: use eth_sendTransaction.'],
  ]),
  ...refused('wallet_watchAsset', 4200, [
    ['eip747WatchButton', null, 'wallet_watchAsset is not supported: this wallet does not implement it.'],
  ]),
  ...refused('wallet_addEthereumChain', 4902, [['addEthereumChain', null, 'This wallet is not on chain 1338.']]),
  ...refused('wallet_switchEthereumChain', 4902, [['switchEthereumChain', null, 'This wallet is not on chain 1338.']]),
  ...refused('eth_sendTransaction', -32602, [['deployButton', null, 'to is not an address.']]),
]
