// Loaded when a passkey is first needed: apps without passkeys never load it.
export { addDevice, addRecovery, recover, removeDevice } from './devices.js'
export { enrol } from './enrol.js'
export { open } from './open.js'
export { approve } from './record.js'
