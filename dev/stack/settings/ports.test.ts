import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePorts, portTable, PortsTaken, readPorts, requireFreePorts } from './ports.js'

test('a variable moves its port and no other', () => {
  const { ports, wrong } = readPorts({ API_PORT: '8090' })
  expect(wrong).toEqual([])
  expect(ports.api).toBe(8090)
  expect(ports.web).toBe(portTable.web.port)
})

test('every wrong port is named at once, and so are two programs on one', () => {
  const { wrong } = readPorts({ API_PORT: 'eighty', WEB_PORT: '70000', ANVIL_PORT: '7233' })
  expect(wrong).toEqual([
    'API_PORT must be a port number, not "eighty"',
    'WEB_PORT must be a port number, not "70000"',
    'ANVIL_PORT and TEMPORAL_PORT are both 7233',
  ])
})

test('a taken port is one line with the port, the program and the variable', async () => {
  const ports = await freePorts()
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(ports.kuboApi, '127.0.0.1', resolve))
  const failure = await requireFreePorts(ports).catch((error: unknown) => error)
  squatter.close()
  expect(failure).toBeInstanceOf(PortsTaken)
  expect((failure as Error).message).toBe(
    `Port ${ports.kuboApi}, for Kubo, is taken; choose another with KUBO_API_PORT=…`,
  )
})
