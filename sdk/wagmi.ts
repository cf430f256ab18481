export { serviceConnector, type ServiceConnectorOptions } from './adapters/serviceConnector.js'
