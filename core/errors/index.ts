export { errorCatalogue, isErrorCode, type ErrorCode } from './catalogue.js'
export { ServiceError, withCode, type Facts } from './ServiceError.js'
