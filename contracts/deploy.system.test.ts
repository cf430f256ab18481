import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { createPublicClient, http, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { buildProgram } from '../dev/stack/programs/buildProgram.js'
import { components, fund } from '../tests/harness/index.js'
import { serviceAttestationsAbi, serviceReleasesAbi } from './index.js'

const deploy = async (env: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, [await buildProgram(new URL('./deploy.ts', import.meta.url))], { env })

test('the script deploys both contracts with the given roles and records their addresses', async () => {
  const { rpcUrl, chainId } = components()
  const deployerKey = generatePrivateKey()
  await fund(privateKeyToAccount(deployerKey).address)
  const [owner, publisher] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key).address)
  const { stdout } = await deploy({
    PATH: process.env['PATH'],
    DEPLOY_RPC_URL: rpcUrl,
    DEPLOY_PRIVATE_KEY: deployerKey,
    DEPLOY_CONFIRMATIONS: '1',
    CONTRACT_OWNER: owner,
    CONTRACT_PUBLISHERS: publisher,
  })
  const file = new URL(`./deployments/${chainId}.json`, import.meta.url)
  const recorded = JSON.parse(await readFile(file, 'utf8')) as Record<string, { address: Hex }>
  await rm(file)
  const attestations = recorded['ServiceAttestations']!.address
  const releases = recorded['ServiceReleases']!.address
  for (const address of [attestations, releases]) expect(stdout).toContain(address)
  const chain = createPublicClient({ transport: http(rpcUrl) })
  const contract = { address: attestations, abi: serviceAttestationsAbi } as const
  await expect(chain.readContract({ ...contract, functionName: 'owner' })).resolves.toBe(owner)
  await expect(chain.readContract({ ...contract, functionName: 'isPublisher', args: [publisher!] })).resolves.toBe(true)
  const list = { address: releases, abi: serviceReleasesAbi } as const
  await expect(chain.readContract({ ...list, functionName: 'owner' })).resolves.toBe(owner)
  await expect(chain.readContract({ ...list, functionName: 'latestVersion' })).resolves.toBe(0n)
})

test('the script names every missing variable at once and exits with 1', async () => {
  const failure = await deploy({ PATH: process.env['PATH'] }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 1 })
  const { stderr } = failure as { stderr: string }
  for (const name of ['DEPLOY_RPC_URL', 'DEPLOY_PRIVATE_KEY', 'CONTRACT_OWNER', 'CONTRACT_PUBLISHERS']) {
    expect(stderr).toContain(name)
  }
})
