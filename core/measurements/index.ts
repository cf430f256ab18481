export { checkCoordinatorBuild, checkEnclaveBuild } from './checkBuild.js'
export {
  releaseBytes,
  verifyRelease,
  type CoordinatorBuild,
  type EnclaveBuild,
  type MeasurementRelease,
  type SignedRelease,
} from './Release.js'
export { composeHashOf, replayRtmr3 } from './runtimeEvents.js'
