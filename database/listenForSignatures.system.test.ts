import { expect, test } from 'vitest'
import { freshDatabase } from '../tests/harness/index.js'
import { openDatabase } from './dataSource.js'
import { listenForSignatures, signedChannel, type SignedNotice } from './listenForSignatures.js'

test('notices are heard when they are committed, and again after the connection was lost', async () => {
  const fresh = await freshDatabase()
  const database = await openDatabase({ url: fresh.url })
  const heard: SignedNotice[] = []
  const problems: unknown[] = []
  const onSigned = (notice: SignedNotice) => void heard.push(notice)
  const listener = listenForSignatures(fresh.url, onSigned, (error) => void problems.push(error))
  const notify = `SELECT pg_notify('${signedChannel}', 'wallet/0xd16e57')`
  const hears = () =>
    expect.poll(async () => (await database.query(notify), heard.length), { timeout: 10_000 }).toBeGreaterThan(0)
  try {
    await hears()
    expect(heard[0]).toEqual({ walletId: 'wallet', digest: '0xd16e57' })

    heard.length = 0
    const undone = database.transaction(async (manager) => {
      await manager.query(notify.replace('wallet', 'undone'))
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')
    await hears()
    expect(heard.map(({ walletId }) => walletId)).not.toContain('undone')

    const lost = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'`
    expect(await database.query(lost)).toHaveLength(1)
    await expect.poll(() => problems.length).toBe(1)
    heard.length = 0
    await hears()
    expect(problems).toHaveLength(1)
  } finally {
    await listener.close()
    await database.destroy()
    await fresh.drop() // refused if anybody were still connected
  }
})
