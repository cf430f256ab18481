export { createChannelCertificates, type ChannelFiles } from './createChannelCertificates.js'
