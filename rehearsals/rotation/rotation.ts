import type { Rehearsal } from '../Rehearsal.js'
import { rotateChannel } from './rotateChannel.js'
import { rotateCodecKeys } from './rotateCodecKeys.js'
import { rotateDatabasePassword } from './rotateDatabasePassword.js'
import { rotatePublisher } from './rotatePublisher.js'
import { rotateRequestKeys } from './rotateRequestKeys.js'
import { rotateSessionSecrets } from './rotateSessionSecrets.js'

/** Every secret of the service, one after another, while users sign. */
export const rotation: Rehearsal = {
  name: 'rotation',
  title:
    'New codec keys, session secrets, publishing key, channel certificates, request keys and database password under load',
  async run(rig) {
    await rotateCodecKeys(rig)
    await rotateSessionSecrets(rig)
    await rotatePublisher(rig)
    await rotateChannel(rig)
    await rotateRequestKeys(rig)
    await rotateDatabasePassword(rig)
  },
}
