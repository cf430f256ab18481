import { simulatedMeasurements } from '@perigee/core/simulation'
import { nextRtmr2 } from './nextRtmr2.js'

// The next build of the enclave: the same program, which a simulated machine measures differently.
Object.assign(simulatedMeasurements, { rtmr2: nextRtmr2 })
await import('../../enclave/main.js')
