export { createSimulatedRelease, simulatedRelease } from './createSimulatedRelease.js'
