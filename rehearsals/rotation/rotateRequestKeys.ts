import { randomBytes } from 'node:crypto'
import type { Rig } from '../rig/openRig.js'

/** An API process makes its request key in memory, so a restart is a rotation. Receipts name the key that asked. */
export async function rotateRequestKeys(rig: Rig): Promise<void> {
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
