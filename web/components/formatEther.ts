/** Wei as ether, exact, without trailing zeros. */
export function formatEther(wei: bigint | string): string {
  const digits = BigInt(wei).toString().padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return `${digits.slice(0, -18)}${fraction && `.${fraction}`}`
}
