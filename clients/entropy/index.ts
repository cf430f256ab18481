export { createEntropyMeter } from './createEntropyMeter.js'
export { createEntropySupply } from './supply/createEntropySupply.js'
export { createSources } from './createSources.js'
