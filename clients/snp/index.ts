export { parseCoordinatorConfig, type CoordinatorConfig } from './config.js'
export type { CoordinatorAttestation, CoordinatorAttestor } from './CoordinatorAttestor.js'
export {
  createCoordinatorAttestor,
  type CoordinatorIdentity,
  type CoordinatorOptions,
} from './createCoordinatorAttestor.js'
export { openSimulatedSnp } from './openSimulatedSnp.js'
export { openTsmPlatform } from './openTsmPlatform.js'
export type { SnpPlatform } from './SnpPlatform.js'
