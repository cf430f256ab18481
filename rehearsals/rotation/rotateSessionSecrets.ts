import { randomBytes } from 'node:crypto'
import type { Rig } from '../rig/openRig.js'
import { secretsOf } from '../rig/publishers.js'

/** People stay signed in, and sign in meanwhile; cookies of the old secret end with it. */
export async function rotateSessionSecrets(rig: Rig): Promise<void> {
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
