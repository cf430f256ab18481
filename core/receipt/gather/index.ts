export { isBundle, parseBundle, printBundle, type Bundle } from './bundle.js'
export { fetchCid, type Gateways, type GetBytes } from './fetchCid.js'
export { gatherEvidence, type Gathered, type GatherOptions, type Sources, type Target } from './gatherEvidence.js'
export { readLogs, type LogFilter, type PublishedLog, type Rpc } from './readLogs.js'
