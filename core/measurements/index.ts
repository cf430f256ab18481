export { checkCoordinatorBuild, checkEnclaveBuild } from './checkBuild.js'
export { checkReleaseAge, checkSuccession } from './checkSuccession.js'
export { createReleaseKeeper, type ReleaseKeeper } from './createReleaseKeeper.js'
export {
  releaseFile,
  releaseSchema,
  signRelease,
  verifyRelease,
  type EnclaveBuild,
  type MeasurementRelease,
} from './Release.js'
export { readBootLog, replayRtmr3, type RuntimeEvent } from './runtimeEvents.js'
