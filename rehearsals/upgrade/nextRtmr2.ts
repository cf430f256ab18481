import { simulatedDigest } from '@perigee/core/simulation'

/** By which the next build of the enclave differs. */
export const nextRtmr2 = simulatedDigest('RTMR2 of the next build')
