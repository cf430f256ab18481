import type { MeasurementRelease } from '../../measurements/index.js'
import { simulatedApp, simulatedMeasurements } from '../index.js'

const { mrTd, rtmr0, rtmr1, rtmr2, snpMeasurement, snpHostData } = simulatedMeasurements

/** The builds that a simulated stack runs, as a list names them. */
export const simulatedBuilds: Pick<MeasurementRelease, 'format' | 'enclaves' | 'coordinators'> = {
  format: 'perigee-release/1',
  enclaves: [{ name: 'simulated-enclave', simulated: true, mrTd, rtmr0, rtmr1, rtmr2, ...simulatedApp }],
  coordinators: [
    {
      name: 'simulated-coordinator',
      simulated: true,
      measurement: snpMeasurement,
      hostData: snpHostData,
      minTcb: { bootloader: 4, tee: 0, snp: 23, microcode: 213 },
      vmpl: 0,
    },
  ],
}
