import type { DataSource } from 'typeorm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cidOf } from '@perigee/core'
import { serve, type TestServer } from '../../verifier/testing/servers.js'
import type { OpsConfig } from '../config.js'
import { createBundleFinder } from './createBundleFinder.js'

const good = new TextEncoder().encode('good')
let [liar, honest]: TestServer[] = []
beforeAll(async () => {
  liar = await serve(() => ({ body: 'rotten' }))
  honest = await serve(() => ({ body: good }))
})
afterAll(() => Promise.all([liar?.close(), honest?.close()]))

/** The records are empty: only the nodes have blocks. */
function find(...nodes: (TestServer | undefined)[]): Promise<Uint8Array | null> {
  const config = { ipfs: () => ({ apiUrls: nodes.map((node) => node?.url) }), collateralDir: () => null }
  const database = { getRepository: () => ({ findOneBy: () => Promise.resolve(null) }) }
  return createBundleFinder(config as unknown as OpsConfig, database as unknown as DataSource)(cidOf(good))
}

test('a node that gives other bytes does not hide the good copy on the next', async () => {
  expect(await find(liar, honest)).toEqual(good)
  expect(await find(honest, liar)).toEqual(good)
})

test('when every copy is wrong, that is an error, and not a missing bundle', async () => {
  await expect(find(liar)).rejects.toMatchObject({ code: 'cid_mismatch' })
})
