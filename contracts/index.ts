export { serviceAttestationsAbi, serviceAttestationsBytecode } from './abi/ServiceAttestations.js'
export { deployServiceAttestations, type Deployment, type DeploymentInput } from './deployServiceAttestations.js'
