export { ServiceError, type SdkErrorCode, type ServiceErrorCode, type ServiceErrorDetails } from './ServiceError.js'
export { toServiceError } from './toServiceError.js'
