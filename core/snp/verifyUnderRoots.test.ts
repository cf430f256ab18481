import { expect, test } from 'vitest'
import { createSnpCases, snpCaseTime, type SnpCase } from './testing/snpCases.js'
import { authenticateUnderRoots, verifyUnderRoots } from './index.js'

const cases = await createSnpCases()
const evidenceOf = (name: string) => (cases.find((item) => item.name === name) as SnpCase).evidence
const milan = evidenceOf('a version 3 report')
const turin = evidenceOf('a Turin report')
const roots = [milan.root, turin.root]

test('finds the root that a chain ends in, wherever it is on the list', async () => {
  await expect(verifyUnderRoots(roots, turin, snpCaseTime)).resolves.toMatchObject({ product: 'Turin' })
  await expect(verifyUnderRoots(roots.toReversed(), turin, snpCaseTime)).resolves.toMatchObject({ product: 'Turin' })
  await expect(authenticateUnderRoots(roots, turin)).resolves.toMatchObject({ kind: 'VCEK' })
})

test('says what is wrong under the root that the chain names, not that it fails under another', async () => {
  const mixed = evidenceOf('a VLEK below the VCEK’s intermediate')
  const refusal = { code: 'vek_chain', facts: { subject: 'SEV-VLEK', issuer: 'SEV-SimulatedMilan' } }
  for (const list of [roots, roots.toReversed()]) {
    await expect(verifyUnderRoots(list, mixed, snpCaseTime)).rejects.toMatchObject(refusal)
    await expect(authenticateUnderRoots(list, mixed)).rejects.toMatchObject(refusal)
  }
})

test('refuses a chain that names none of the roots, and every chain when there are none', async () => {
  await expect(verifyUnderRoots([turin.root], milan, snpCaseTime)).rejects.toMatchObject({ code: 'vek_chain' })
  await expect(verifyUnderRoots([], milan, snpCaseTime)).rejects.toMatchObject({ code: 'platform_not_allowed' })
})
