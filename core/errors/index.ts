export { errorCatalogue, isErrorCode, type ErrorCode } from './catalogue.js'
export { describeError } from './describeError.js'
export { parseSchema } from './parseSchema.js'
export { orNothing, ServiceError, withCode, withCodeAsync, type Facts } from './ServiceError.js'
