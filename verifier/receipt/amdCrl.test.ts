import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fromHex } from '@perigee/core/bytes'
import { printBundle } from '@perigee/core/receipt/gather'
import { mintReceipt } from '../../core/receipt/testing/mintReceipt.js'
import { createSimulatedWorld, signedAt } from '../../core/receipt/testing/simulatedWorld.js'
import { runInProcess } from '../testing/runInProcess.js'

test('a receipt is checked against AMD’s list of revoked certificates when one is given', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-verifier-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const world = await createSimulatedWorld()
  const { evidence, anchors } = mintReceipt(world)
  await writeFile(join(folder, 'bundle.json'), printBundle({ evidence, anchors }))
  await writeFile(join(folder, 'trust.json'), JSON.stringify(anchors))
  await writeFile(join(folder, 'crl.der'), fromHex(world.snp.crl))
  await writeFile(join(folder, 'revoking.der'), fromHex(await world.snp.revoking([2])))
  const run = (...lists: string[]) => {
    const args = ['bundle.json', '--offline', '--trust', 'trust.json', ...lists.flatMap((list) => ['--amd-crl', list])]
    return runInProcess(args, folder, signedAt + 1000)
  }
  const good = await run('crl.der')
  expect([good.exit, good.stdout.includes('not revoked by the list given')]).toEqual([3, true]) // offline: events are not checked
  const revoked = await run('crl.der', 'revoking.der')
  expect(revoked.exit).toBe(1)
  expect(revoked.stdout).toMatch(/FAIL coordinator_report +\[vek_revoked\]/)
  expect((await run('nowhere.der')).exit).toBe(2)
})
