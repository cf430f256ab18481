import { randomBytes } from 'node:crypto'
import type { Rehearsal } from '../Rehearsal.js'
import type { Rig } from '../rig/openRig.js'
import { secretsOf } from '../rig/publishers.js'
import { rotateChannel } from './rotateChannel.js'
import { rotateCodecKeys } from './rotateCodecKeys.js'
import { rotateDatabasePassword } from './rotateDatabasePassword.js'
import { rotatePublisher } from './rotatePublisher.js'

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

/** People stay signed in, and sign in meanwhile; cookies of the old secret end with it. */
async function rotateSessionSecrets(rig: Rig): Promise<void> {
  const [old, fresh] = [`1:${secretsOf(rig).sessionSecret}`, `2:${randomBytes(32).toString('hex')}`]
  const pass = (secrets: string) => rig.roll('api', { SESSION_SECRETS: secrets })
  await rig.step('session secrets: every API learns the new one', () => pass(`${old},${fresh}`))
  await rig.step('session secrets: every API seals with the new one; one person signs in between', async () => {
    const rolled = pass(`${fresh},${old}`)
    await rig.pause(6)
    await rig.run.users[0]?.signInAgain()
    await rolled
  })
  await rig.step('session secrets: everybody has signed in again', async () => {
    for (const user of rig.run.users) await user.signInAgain()
  })
  await rig.step('session secrets: the old one is removed', () => pass(fresh))
}

/** An API process makes its request key in memory, so a restart is a rotation. Receipts name the key that asked. */
async function rotateRequestKeys(rig: Rig): Promise<void> {
  const before = await keysInUse(rig)
  await rig.step('request keys: APIs restarted in turn, each with a new key', () => rig.roll('api'))
  const after = await keysInUse(rig)
  rig.require(after.length > 0 && after.every((key) => !before.includes(key)), 'a request key survived the restart')
}

/** Asks often enough that the balancer has sent us to both APIs. */
async function keysInUse({ stack }: Rig): Promise<string[]> {
  const keys = new Set<string>()
  for (let index = 0; index < 4; index++) {
    const nonce = `0x${randomBytes(32).toString('hex')}`
    const answer = await fetch(`${stack.file.apiUrl}/health/attestation?nonce=${nonce}`)
    const { identity } = (await answer.json()) as { identity: { requestKey: string } }
    keys.add(identity.requestKey)
  }
  return [...keys]
}
