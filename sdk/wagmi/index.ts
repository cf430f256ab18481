export { serviceConnector, type ServiceConnectorOptions } from './serviceConnector.js'
