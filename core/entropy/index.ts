export { entropyWitnessHash, provenanceLevels, type EntropyProvenance, type EntropySample } from './EntropySample.js'
