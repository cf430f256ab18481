import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const deployment = await readFile(new URL('../../docs/deployment.md', import.meta.url), 'utf8')
const [, commands = ''] = /```sh channel\n([\s\S]*?)```/.exec(deployment) ?? []

test('the certificates that docs/deployment.md makes let the worker and the enclave know each other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-channel-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await promisify(execFile)('bash', ['-euc', commands], { cwd: folder })
  const filesOf = async (end: string) => {
    const read = (name: string) => readFile(join(folder, 'secrets', end, name))
    return { cert: await read(`${end}.pem`), key: await read(`${end}.key`), ca: await read('ca.pem') }
  }
  const enclave = createServer({ ...(await filesOf('enclave')), requestCert: true, minVersion: 'TLSv1.3' }, (socket) =>
    socket.end(String(socket.getPeerCertificate().subject.CN)),
  )
  await new Promise<void>((resolve) => enclave.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void enclave.close())
  const { port } = enclave.address() as AddressInfo
  const worker = connect({ ...(await filesOf('worker')), host: '127.0.0.1', port, servername: 'enclave' })
  let heard = ''
  for await (const part of worker) heard += String(part)
  expect(heard).toBe('worker')
})
