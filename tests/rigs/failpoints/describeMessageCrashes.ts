import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toHex } from '@perigee/core'
import { hexOfText } from '../../../core/message/testing/texts.js'
import { keepHistory } from '../../../temporal/testing/keepHistory.js'
import { requestHashOf } from '../workers/createSigningCalls.js'
import { failpointsOf } from './failpoints.js'
import { patiently } from '../patiently.js'
import type { MortalWorkers } from './startMortalWorkers.js'
import type { TestService } from '../workers/startService.js'

const isRecording = process.env.RECORD_HISTORIES === 'true'
/** Signed and not recorded, recorded and not answered: the rest is as with transactions. `npm run histories` goes through all. */
const everyTime = ['signInEnclave:after', 'recordSignature:after']
const points = failpointsOf('sign').filter((point) => isRecording || everyTime.includes(point))

/** What a worker's death costs while it signs messages of a wallet. */
export function describeMessageCrashes(
  rig: () => { service: TestService; workers: MortalWorkers; walletId: string },
): void {
  describe('messages', () => {
    const slugs: string[] = []
    test.each(points)('a worker killed at %s while it signs a message costs nothing but time', async (point) => {
      const { service, workers, walletId } = rig()
      const before = workers.deaths()
      const call = {
        walletId,
        message: { scheme: 'eip191', message: hexOfText(`killed at ${point}`) } as const,
        salt: toHex(randomBytes(32)),
        expiresAtMs: Date.now() + 60_000,
      }
      workers.dieAt(point)
      const answer = await patiently(() => service.signMessage(call))
      const workflowId = `message/${walletId}/${requestHashOf(call)}`
      await service.client.workflow.getHandle(workflowId).result() // its publication has started
      expect(workers.isWaiting()).toBe(false)
      expect(workers.deaths()).toBe(before + 1)
      await keepHistory(service.client, workflowId, `killed-message-${point.replaceAll(/[.:]/g, '-')}`)
      expect(await patiently(() => service.signMessage(call))).toEqual(answer)
      const rows = await service.database.query<{ slug: string }[]>(
        'SELECT slug FROM messages WHERE wallet_id = $1 AND request_hash = $2',
        [walletId, requestHashOf(call)],
      )
      expect(rows).toEqual([{ slug: answer.slug }])
      slugs.push(answer.slug)
    })

    test('all of them are published', async () => {
      const { service } = rig()
      expect(slugs).toHaveLength(points.length)
      for (const slug of slugs) expect(await service.publicationOf(slug)).toBe('complete')
    })
  })
}
