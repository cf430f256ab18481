/** Of the Temporal namespace and of the database. */
export const serviceName = 'perigee'
export const localChainId = 31337
