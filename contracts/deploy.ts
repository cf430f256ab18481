import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseConfig, type DeployConfig } from './config.js'
import { deployServiceAttestations } from './deployServiceAttestations.js'

/** `npx tsx contracts/deploy.ts`: deploys to any EVM chain and records the address in deployments/<chainId>.json. */
async function main(): Promise<void> {
  let config: DeployConfig
  try {
    config = parseConfig(process.env)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
    return
  }
  const deployment = await deployServiceAttestations(config)
  const { chainId, address } = deployment
  const file = fileURLToPath(new URL(`./deployments/${chainId}.json`, import.meta.url))
  await mkdir(new URL('./deployments/', import.meta.url), { recursive: true })
  const record = { contract: 'ServiceAttestations', ...deployment }
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`)
  console.log(`ServiceAttestations is at ${address} on chain ${chainId}; recorded in ${file}.`)
  console.log('Next: verify its source, see contracts/README.md.')
}

await main()
