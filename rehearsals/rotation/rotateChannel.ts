import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createChannelCertificates } from '../../core/x509/testing/createChannelCertificates.js'
import type { Rig } from '../rig/openRig.js'

/** Both sides trust both authorities, then each gets its new certificate, then the old authority goes. */
export async function rotateChannel(rig: Rig): Promise<void> {
  const old = await createChannelCertificates(join(rig.run.dir, 'channel'))
  const fresh = await createChannelCertificates(join(rig.folder, 'next-channel'))
  const both = async () => {
    await rig.roll('enclave')
    await rig.roll('worker')
  }
  const authority = readFileSync(fresh.ca)
  writeFileSync(old.ca, Buffer.concat([readFileSync(old.ca), authority]))
  await rig.step('channel: enclave and workers trust both authorities', both)
  copyFileSync(fresh.serverCert, old.serverCert)
  copyFileSync(fresh.serverKey, old.serverKey)
  await rig.step('channel: the enclave has its new certificate', () => rig.roll('enclave'))
  copyFileSync(fresh.clientCert, old.clientCert)
  copyFileSync(fresh.clientKey, old.clientKey)
  await rig.step('channel: the workers have their new certificate', () => rig.roll('worker'))
  writeFileSync(old.ca, authority)
  await rig.step('channel: the old authority is trusted no longer', both)
}
