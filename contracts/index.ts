export { serviceAttestationsAbi } from './abi/ServiceAttestations.js'
export { serviceReleasesAbi } from './abi/ServiceReleases.js'
export { deployServiceAttestations, deployServiceReleases } from './deployContract.js'
