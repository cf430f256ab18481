export { checkCoordinatorBuild, checkEnclaveBuild } from './checkBuild.js'
export { releaseBytes, releaseSchema, verifyRelease, type MeasurementRelease, type SignedRelease } from './Release.js'
export { composeHashOf, replayRtmr3, type RuntimeEvent } from './runtimeEvents.js'
