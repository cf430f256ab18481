// Loaded when a passkey is first needed: apps without passkeys never load it.
export { approve } from './approve.js'
export { addDevice, addRecovery, recover, removeDevice } from './devices.js'
export { enrol } from './enrol.js'
export { open } from './open.js'
