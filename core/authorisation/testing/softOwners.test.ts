import { fromHex } from '../../bytes/index.js'
import { verifySnpReport } from '../../snp/index.js'
import { createSnp } from '../../receipt/testing/simulatedWorld.js'
import { expect, test } from 'vitest'
import { ownersHash, verifyOwnersApproval, verifyPasskeyApproval, verifyStatement, zero32 } from '../index.js'
import { createCoordinator } from './createCoordinator.js'
import { createSoftPasskey, createSoftRecovery } from './createSoftPasskey.js'
import { approveOwners, ownersOf } from './softOwners.js'

const now = Math.floor(Date.now() / 1000)

test('a soft passkey approves as Chromium does, with and without the extra member', async () => {
  const passkey = createSoftPasskey()
  const subject = { kind: 'transaction', address: `0x${'11'.repeat(20)}`, ownersHash: zero32, chainId: 1, digest: zero32 } as const // prettier-ignore
  const approvals = Array.from({ length: 10 }, () => passkey.approve(subject))
  for (const approval of approvals) await verifyPasskeyApproval(approval, [passkey.credential], subject)
  expect(approvals.filter(({ clientDataJSON }) => clientDataJSON.includes('other_keys'))).toHaveLength(2)
  expect(approvals[0]?.authenticatorData.slice(2 + 64, 2 + 66)).toBe('1d')
})

test('soft owners make a first record, follow it, and recover', async () => {
  const [phone, laptop, spare] = [createSoftPasskey(), createSoftPasskey(), createSoftPasskey()]
  const recovery = createSoftRecovery()
  const address = `0x${'11'.repeat(20)}` as const
  const first = ownersOf([phone], { recovery })
  await verifyOwnersApproval(approveOwners(first, { passkeys: [phone] }), { current: null, next: first }, now)
  const second = ownersOf([phone, laptop], { current: first, recovery })
  expect(second).toMatchObject({ sequence: 1, previous: ownersHash(first) })
  const added = approveOwners(second, { passkeys: [phone, laptop] }, { address, current: first })
  await verifyOwnersApproval(added, { address, current: first, next: second }, now)
  const third = ownersOf([spare], { current: second })
  const recovered = approveOwners(third, { passkeys: [spare], recovery }, { address, current: second })
  await verifyOwnersApproval(recovered, { address, current: second, next: third }, now)
})

test('a soft coordinator has a genuine report and signs statements', async () => {
  const snp = await createSnp(now)
  const { evidence, requestKey, state } = createCoordinator(snp)
  const [report, vek, intermediate] = [evidence.report, evidence.vek, evidence.intermediate].map((hex) => fromHex(hex))
  await verifySnpReport({ report, vek, intermediate, root: fromHex(snp.root) } as never, { now })
  const statement = state({ kind: 'create-key', subject: `0x${'22'.repeat(32)}` })
  await verifyStatement(statement, statement, requestKey, now)
})
