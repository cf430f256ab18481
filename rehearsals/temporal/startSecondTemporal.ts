import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findTemporal } from '../../dev/stack/binaries/index.js'
import { createTemporal } from '../../dev/stack/components/temporal.js'
import { createChannelCertificates } from '../../core/x509/testing/createChannelCertificates.js'
import { silent } from '../../dev/stack/progress.js'
import { freePorts } from '../../dev/stack/settings/ports.js'
import { createTlsGate } from '../../temporal/testing/createTlsGate.js'
import type { Rig } from '../rig/openRig.js'

/** Another Temporal with a namespace of its own, behind TLS and an API key, as in Temporal Cloud. */
export async function startSecondTemporal({ run, stack, folder }: Rig, apiKey: string) {
  const dir = join(run.dir, 'second-temporal')
  await mkdir(dir)
  const [ports, temporal] = [await freePorts(), await findTemporal(process.env, silent)]
  const options = { dir, ports, programs: { temporal }, durable: true, databasePassword: '', env: process.env }
  await stack.add({ ...createTemporal(options), name: 'second-temporal' })
  const files = await createChannelCertificates(join(folder, 'cloud'))
  const [key, cert, ca] = await Promise.all([files.serverKey, files.serverCert, files.ca].map((file) => readFile(file)))
  if (!key || !cert || !ca) throw new Error('the certificates are missing')
  const target = `127.0.0.1:${ports.temporal}`
  const gate = await createTlsGate({ key, cert, ca, apiKey, target })
  return { gate, ca: files.ca, target }
}
