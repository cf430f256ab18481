import { fileURLToPath } from 'node:url'
import { parseConfig, type DeployConfig } from './config.js'
import { deployServiceAttestations } from './deployServiceAttestations.js'
import { recordDeployment } from './recordDeployment.js'

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
  const file = await recordDeployment(fileURLToPath(new URL('./deployments/', import.meta.url)), deployment)
  console.log(`ServiceAttestations is at ${deployment.address} on chain ${deployment.chainId}; recorded in ${file}.`)
  console.log('Next: verify its source, see contracts/README.md.')
}

await main()
