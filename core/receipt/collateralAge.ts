import type { UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'

const day = 86_400

/** TCB info, QE identity and PCK CRL may be issued this long before the block of the receipt's event, in seconds. */
export const mostCollateralAge = 7 * day

/**
 * Throws `collateral_outdated` for collateral that was issued more than 7 days before `at`. What the vendor revoked after it was
 * issued is not in it, so without this rule a revoked key could sign receipts for as long as old collateral is in force.
 */
export function checkCollateralAge(issuedAt: UnixSeconds, at: UnixSeconds): void {
  if (at - issuedAt <= mostCollateralAge) return
  const days = Math.floor((at - issuedAt) / day)
  const message = `the collateral was issued ${days} days before, and at most 7 are allowed`
  throw new ServiceError('collateral_outdated', message, { issuedAt, at })
}

/**
 * A receipt whose collateral is older than this is not offered to the chain but assembled again. It leaves a day for the
 * transaction to be mined.
 */
export const mostCollateralAgeToPublish = 6 * day

/** A receipt is assembled with newer collateral when its own is older than this. */
export const freshCollateralAge = day
