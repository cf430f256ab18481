export type { Behaviour } from './behaviour.js'
export { createSatelliteServer } from './createSatelliteServer.js'
export { identityOf, openIdentity, pinOf } from './identity.js'
export { makeSample } from './makeSample.js'
