export { createEntropyMeter } from './createEntropyMeter.js'
export { createEntropySupply } from './createEntropySupply.js'
export { createSources } from './createSources.js'
