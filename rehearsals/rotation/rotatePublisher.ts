import { privateKeyToAddress } from 'viem/accounts'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { Rig } from '../rig/openRig.js'
import { addPublisher, countSlots, removePublisher, secretsOf } from '../rig/publishers.js'

/** The old key keeps its right until its last transaction is confirmed. */
export async function rotatePublisher(rig: Rig): Promise<void> {
  const old = secretsOf(rig).publisherKey
  const fresh = await rig.step('publishing key: the owner of the contract adds the new one', () => addPublisher(rig))
  const [oldAddress, freshAddress] = [privateKeyToAddress(old), privateKeyToAddress(fresh)]
  await rig.step('publishing key: APIs name both addresses', () =>
    rig.roll('api', { PUBLISHER_ADDRESSES: `${oldAddress},${freshAddress}` }),
  )
  await rig.step('publishing key: workers get the new one alone', () =>
    rig.roll('worker', { PUBLISHER_PRIVATE_KEYS: fresh }),
  )
  const isIdle = async () => (await countSlots(rig, oldAddress)).open === 0
  await rig.step('publishing key: until the old one has nothing in flight', () =>
    waitUntil('the old key', isIdle, { timeoutMs: 120_000 }),
  )
  await rig.step('publishing key: the owner removes the old one', () => removePublisher(rig, oldAddress))
  const { all } = await countSlots(rig, oldAddress)
  await rig.pause(5)
  rig.require((await countSlots(rig, oldAddress)).all === all, 'the old key was used after its removal')
  rig.require((await countSlots(rig, freshAddress)).all > 0, 'the new key has published nothing')
}
