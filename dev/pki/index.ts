export { createSimulationPki, readSimulationPki, type SimulationPki } from './createSimulationPki.js'
export { simulationFiles } from './files.js'
export { createRsaKey, rsaPublicKey, rsaSigner } from './rsaSigner.js'
export { createSnpReportKeys, mintSnpPki, snpNames, type SnpPki } from './snpPki.js'
