export { parseCollateralConfig } from './config.js'
export { createCollateralFolder } from './createCollateralFolder.js'
export { createCollateralSupply } from './createCollateralSupply.js'
export { createPccsSource } from './createPccsSource.js'
