/** For every error after which a signed transaction exists that has not been sent. */
export function warnSigned(nonce: number): string {
  return `The signed transaction exists and ${published(nonce)}`
}

/** For every error after which it is unknown whether the service has signed, or still will. */
export function warnMaybeSigned(nonce: number): string {
  return `The service may have signed the transaction, or may still sign it. If so, it ${published(nonce)}`
}

function published(nonce: number): string {
  return (
    `will be published in its receipt, and anyone can send it until nonce ${nonce} is used. ` +
    `To invalidate it, send another transaction with nonce ${nonce}: the next signAndSend uses it.`
  )
}
