import { WorkflowNotFoundError } from '@temporalio/common'
import { workflowIds } from '@perigee/core/workflow'
import { openDatabase, WalletEntity } from '../../database/index.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { sealUnderVersionOne } from '../../tests/rigs/sealUnderVersionOne.js'
import type { SoakRun } from '../openRun.js'
import { withTemporal } from '../withTemporal.js'

/** As after a rotation: new keys are sealed under version 2, and older ones again when their owners sign in. */
export const rotated = { ENCLAVE_SEALING_VERSIONS: '2,1', SEALING_VERSION: '2' }

const overWithinMs = 60_000

/** Makes a wallet look as if it were from before the rotation, and signs its owner in. */
export async function resealOne({ users: [user], world }: SoakRun): Promise<void> {
  if (!user) throw new Error('there is no user')
  const { file, env } = world.stack
  const database = await openDatabase({ url: file.databaseUrl })
  try {
    const wallets = database.getRepository(WalletEntity)
    const { id } = await wallets.findOneByOrFail({ address: user.wallet })
    // The run of the point before: while it is open, no other starts.
    await waitUntil('the end of the run before', () => isOver(file, id), { timeoutMs: overWithinMs })
    const wallet = await wallets.findOneByOrFail({ id })
    await database.query('DELETE FROM reseals WHERE wallet_id = $1', [id])
    const sealedKey = sealUnderVersionOne(env['SIMULATION_DIR'] ?? '', wallet)
    await wallets.update({ id }, { sealedKey })
  } finally {
    await database.destroy()
  }
  await user.signInAgain()
}

function isOver(stack: StackFile, walletId: string): Promise<boolean> {
  return withTemporal(stack, async ({ workflow }) => {
    try {
      return (await workflow.getHandle(workflowIds.reseal(walletId, 2)).describe()).status.name !== 'RUNNING'
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return true
      throw error
    }
  })
}
