export { createSimulatedRelease, simulatedRelease } from './createSimulatedRelease.js'
export { signRelease } from './signRelease.js'
