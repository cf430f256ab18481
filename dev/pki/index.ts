export { createSimulationPki, simulationFiles, type SimulationPki } from './createSimulationPki.js'
export { mintCollateral, mintTdxPki } from '../../core/simulation/testing/index.js'
