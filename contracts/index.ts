export { serviceAttestationsAbi } from './abi/ServiceAttestations.js'
export { deployServiceAttestations } from './deployServiceAttestations.js'
