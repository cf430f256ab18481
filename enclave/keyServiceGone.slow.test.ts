import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseKeyOf, sampleRelease, signedFile } from '../core/measurements/testing/sampleRelease.js'
import { createTestWorld, type TestWorld } from './testing/createTestWorld.js'
import { serveGuestAgent } from './testing/serveGuestAgent.js'
import { buildBundle, startEnclave } from './testing/startEnclave.js'

/* Rehearses docs/operations.md, "The key service is gone", with the program as it is built. */

let world: TestWorld
let program: string
beforeAll(async () => {
  world = await createTestWorld()
  program = (await buildBundle(world.dir)).file
})
afterAll(() => world.remove())

/** The settings of a machine with hardware: no simulation, a signed list, the guest agent on this socket. */
function onHardware(socket: string): Record<string, string> {
  const { MOCK_ATTESTATION: _, SIMULATION_DIR: __, ...env } = world.env
  const list = join(world.dir, 'list.json')
  writeFileSync(list, signedFile(sampleRelease))
  return { ...env, MEASUREMENTS_FILE: list, MEASUREMENTS_PUBLIC_KEY: releaseKeyOf(7), DSTACK_ENDPOINT: socket }
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Runs the program to its end. */
async function runToEnd(env: Record<string, string>) {
  const child = spawn(process.execPath, [program], { env: { PATH: process.env.PATH, ...env } })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

test('the program says in one line that it has no sealing key, ends with 1, and never listens', async () => {
  const socket = join(world.dir, 'refusing.sock')
  const port = await freePort()
  /** Whether the port was open when the program asked for its keys. */
  const looks: Promise<boolean>[] = []
  const agent = await serveGuestAgent({
    socket,
    keys: world.tdx.quoteKeys,
    events: [],
    tamper: (answer, path) => {
      if (path !== '/GetKey') return answer
      looks.push(isOpen(port))
      return { error: 'the key service does not answer' }
    },
  })
  const env = { ...onHardware(socket), ENCLAVE_PORT: String(port) }
  const { code, stdout, stderr } = await runToEnd(env)
  await agent.close()
  expect(await Promise.all(looks)).toEqual([false])
  expect(stderr).toMatch(/^Error: the guest agent gives no sealing key: [^\n]+\n$/)
  expect(code).toBe(1)
  expect(stdout).toBe('') // it prints a line when it listens
})

test('nor does it start on a machine without a guest agent', async () => {
  const { code, stdout, stderr } = await runToEnd(onHardware(join(world.dir, 'nobody.sock')))
  expect(stderr).toMatch(/^[^\n]*nobody\.sock[^\n]*\n$/)
  expect([code, stdout]).toEqual([1, ''])
})

test('with its key service back the same program, under the same settings, listens', async () => {
  const socket = join(world.dir, 'back.sock')
  const agent = await serveGuestAgent({ socket, keys: world.tdx.quoteKeys, events: [] })
  const enclave = await startEnclave(program, onHardware(socket))
  expect(enclave.started).toMatchObject({ platform: 'dstack', simulated: false })
  await enclave.stop()
  await agent.close()
})
