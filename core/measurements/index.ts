export { checkCoordinatorBuild, checkEnclaveBuild } from './checkBuild.js'
export { checkReleaseAge, checkSuccession } from './checkSuccession.js'
export { createReleaseKeeper, type ReleaseKeeper } from './createReleaseKeeper.js'
export {
  releaseBytes,
  releaseFile,
  releaseSchema,
  verifyRelease,
  type EnclaveBuild,
  type MeasurementRelease,
  type SignedRelease,
} from './Release.js'
export { signRelease } from './signRelease.js'
export { readBootLog, replayRtmr3, type KeyProvider, type RuntimeEvent } from './runtimeEvents.js'
