export { EntropySampleEntity, type EntropySampleRow } from './EntropySampleRow.js'
export { reserveRequest, type RequestLimits, type Reservation } from './reserveRequest.js'
export {
  pruneExpiredSamples,
  storeSamples,
  streamHighWater,
  type NewSample,
  type StoreOutcome,
} from './storeSamples.js'
export {
  dropRefillLease,
  holdRefillLease,
  readEntropyState,
  supplyLevel,
  writeEntropyState,
  type EntropyState,
} from './supplyState.js'
export { retireSample, takeSample, type TakeFilter } from './takeSample.js'
