export { createSimulationPki, type SimulationPki } from './createSimulationPki.js'
export { simulationFiles } from './files.js'
export { mintCollateral, mintTdxPki } from '../../core/simulation/testing/index.js'
