import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cidOf, fromHex, toHex, transactionDigest, type Hex } from '@perigee/core'
import type { Message, Opening } from '@perigee/core/message'
import { releaseFile, signRelease } from '@perigee/core/measurements'
import { parseTrustAnchors } from '@perigee/core/receipt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCollateralSupply } from '../clients/collateral/createCollateralSupply.js'
import { createEvidenceVerifier } from '../clients/enclave/createEvidenceVerifier.js'
import { createKuboNode } from '../clients/ipfs/createKuboNode.js'
import type { PinningNode } from '../clients/ipfs/PinningNode.js'
import { permit } from '../core/message/testing/typedData.js'
import { findBirth, getProof, loadProofRecord } from '../database/index.js'
import { mintCollateral, tdxSerials } from '../core/simulation/testing/index.js'
import { createSimulationPki } from '../dev/pki/index.js'
import { createSimulatedRelease, simulatedRelease } from '../core/simulation/testing/createSimulatedRelease.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { jsonOf, runInProcess } from '../verifier/testing/runInProcess.js'
import { components } from './harness/index.js'
import { announceList } from './rigs/publishing/announceList.js'
import { eventsOf } from './rigs/workers/eventsOf.js'
import { simulationDir, startService, type TestService } from './rigs/workers/startService.js'

/* Signed with collateral of day 0, published on day 20: the collateral's issue dates stand for the days between. */

const day = 86_400
const now = () => Math.floor(Date.now() / 1000)
/** A simulation folder of our own, whose collateral was issued 20 days ago and is in force for 10 more. */
const own = mkdtempSync(join(tmpdir(), 'perigee-repaired-'))
let service: TestService
beforeAll(async () => {
  cpSync(await simulationDir(), own, { recursive: true })
  rmSync(join(own, 'collateral'), { recursive: true, force: true })
  createSimulatedRelease(own)
  service = await startService({ env: { SIMULATION_DIR: own } })
  const releaseKey = fromHex(readFileSync(join(own, 'release', 'private-key'), 'utf8').trim() as Hex)
  const release = simulatedRelease(new Date())
  const file = releaseFile(signRelease(release, releaseKey))
  await createKuboNode(components().ipfsApiUrl).pin(cidOf(file), file)
  const anchors = parseTrustAnchors(JSON.parse(new TextDecoder().decode(service.deps.trustAnchors.bytes)))
  anchors.releases.contracts = [{ chainId: components().chainId, address: await announceList({ release, file }) }]
  writeFileSync(join(own, 'trust.json'), JSON.stringify(anchors))
})
afterAll(async () => {
  await service.close()
  rmSync(own, { recursive: true, force: true })
})

/** As a worker that has just started: it asks the source of collateral again. */
function restartVerifier(): void {
  const { trust, collateral, quotePolicy } = service.config
  const supply = createCollateralSupply({ ...collateral.intel, tdxRoot: trust.tdxRoot })
  service.deps.evidence = createEvidenceVerifier({
    collateral: supply,
    revocation: { requireNotRevoked: () => Promise.resolve() },
    tdxRoot: trust.tdxRoot,
    snpRoots: trust.snpRoots,
    releases: trust.releases,
    policy: quotePolicy,
    allowDevelopmentRoot: true,
  })
}

const message: Message = { scheme: 'eip712', typedData: permit }

/** Makes a wallet, signs a transaction and a message with it on day 0, while nothing is published. */
async function signOnDay0() {
  await createSimulationPki(own, now() - 20 * day)
  restartVerifier()
  await service.startWorkers(['sign'])
  const { walletId } = await service.provision(await service.newUser())
  const transaction = newTransaction()
  const { slug } = await service.sign({ walletId, transaction, digest: transactionDigest(transaction) })
  const call = { walletId, message, salt: toHex(randomBytes(32)) }
  const signed = await service.signMessage(call)
  const opening: Opening = { version: 'perigee-opening/1', message, salt: call.salt, signature: signed.signature }
  writeFileSync(join(own, 'opening.json'), JSON.stringify(opening))
  await service.stopWorkers()
  return { walletId, slug, messageSlug: signed.slug }
}

async function publishOnDay20(): Promise<void> {
  restartVerifier()
  await service.startWorkers()
}

const verify = async (target: string, ...more: string[]) => {
  const { ipfsGatewayUrl, rpcUrl } = components()
  const places = ['--gateway', ipfsGatewayUrl, '--rpc', rpcUrl, '--trust', 'trust.json', '--no-stack', '--json']
  return jsonOf(await runInProcess([target, ...places, ...more], own, now()))
}

test('a proof that is published 20 days later passes, and a restored record finds the receipt that was published', async () => {
  const { walletId, slug, messageSlug } = await signOnDay0()
  const before = await loadProofRecord(service.database, slug)
  await createSimulationPki(own)
  await publishOnDay20()
  expect(await service.publicationOf(slug)).toBe('complete')
  const birth = await findBirth(service.database, walletId)
  expect(await service.publicationOf(birth?.slug ?? '')).toBe('complete')
  const proof = await getProof(service.database, slug)
  const cid = proof?.ipfsCid ?? ''
  expect(proof?.receipt?.signer.collateralCid).not.toBe(before?.attestation.collateralCid)
  expect(await verify(cid)).toMatchObject({ verified: true, failed: [], skipped: [] })
  expect(await service.publicationOf(messageSlug)).toBe('complete')
  const messageCid = (await getProof(service.database, messageSlug))?.ipfsCid ?? ''
  const opened = await verify(messageCid, '--opening', 'opening.json')
  expect(opened).toMatchObject({ kind: 'message', verified: true, failed: [], skipped: [] })
  // With the collateral of day 0 it would not have passed.
  expect(await verify(cid, '--at', String(now() + 8 * day))).toMatchObject({ failed: ['quote'] })

  // The database comes back from a backup of day 0.
  await service.stopWorkers()
  const { collateralCid, verifiedAt, issuedAt } = before!.attestation
  await service.database.query(
    'UPDATE attestations SET collateral_cid = $2, verified_at = $3, issued_at = $4 WHERE slug = $1',
    [slug, collateralCid, verifiedAt, issuedAt],
  )
  await service.database.query(
    `UPDATE publications SET status = 'pending_pin', cid = NULL, receipt = NULL, slot_id = NULL, onchain_tx_hash = NULL,
       onchain_block_number = NULL, onchain_block_hash = NULL WHERE slug = $1`,
    [slug],
  )
  const rotten = () => Promise.resolve(new TextEncoder().encode('rotten'))
  const liar: PinningNode = { name: 'liar', pin: () => Promise.resolve(), look: async () => 'wrong', read: rotten }
  service.deps.nodes = [liar, ...service.deps.nodes] // a node with a bad disk must not hide the good copy on the next
  await publishOnDay20()
  const input = { kind: 'transaction', slug, txHash: proof!.txHash, wallet: proof!.walletAddress } as const
  await service.deps.startPublishing({ ...input, chainId: proof!.chainId })
  await expect.poll(async () => (await getProof(service.database, slug))?.ipfsCid).toBe(cid)
  expect(await eventsOf(proof!.txHash)).toHaveLength(1)
  await service.stopWorkers()
})

test('a platform that was revoked since stops in pin_failed with the verifier’s code', async () => {
  const { walletId } = await signOnDay0()
  const authority = JSON.parse(readFileSync(join(own, 'tdx', 'authority.json'), 'utf8')) as never
  const times = { issuedAt: now() - 60, nextUpdate: now() + 30 * day }
  const revoking = await mintCollateral({ ...times, revokedByPckCa: [tdxSerials.pck] }, authority)
  writeFileSync(join(own, 'tdx', 'collateral.json'), JSON.stringify(revoking))
  await publishOnDay20()
  const birth = await findBirth(service.database, walletId)
  const state = async () => {
    const [row] = await service.database.query('SELECT status, error_code FROM publications WHERE slug = $1', [birth?.slug]) // prettier-ignore
    return row as unknown
  }
  await expect.poll(state).toEqual({ status: 'pin_failed', error_code: 'cert_revoked' })
  await service.stopWorkers()
})
