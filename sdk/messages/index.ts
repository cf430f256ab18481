// Loaded with the first message: apps that only send transactions never load it.
export { signMessage, signTypedData } from './signMessage.js'
