/** For every error after which a signed transaction exists that has not been sent. */
export function warnSigned(nonce: number): string {
  return `The signed transaction exists and ${published(nonce)} ${invalidate(nonce)}`
}

/** The same, where another wallet than the expected one has signed: the next signAndSend may use another nonce. */
export function warnSignedByOther(nonce: number, signer: string): string {
  return `The signed transaction exists and ${published(`${nonce} of ${signer}`)}`
}

/** For every error after which it is unknown whether the service has signed, or still will. */
export function warnMaybeSigned(nonce: number): string {
  return `The service may have signed the transaction, or may still sign it. If so, it ${published(nonce)} ${invalidate(nonce)}`
}

function published(nonce: number | string): string {
  return `will be published in its receipt, and anyone can send it until nonce ${nonce} is used.`
}

function invalidate(nonce: number): string {
  return `To invalidate it, send another transaction with nonce ${nonce}: the next one sent here uses it.`
}
