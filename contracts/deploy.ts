import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseConfig, type DeployConfig } from './config.js'
import { deployServiceAttestations, deployServiceReleases } from './deployContract.js'

const contracts = { ServiceAttestations: deployServiceAttestations, ServiceReleases: deployServiceReleases }
type ContractName = keyof typeof contracts
const isContract = (name: string): name is ContractName => name in contracts

/** `npx tsx contracts/deploy.ts [name…]`: deploys to any EVM chain and records each address in deployments/<chainId>.json. */
async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !isContract(name))
  let config: DeployConfig
  try {
    config = parseConfig(process.env)
    if (unknown.length > 0) throw new Error(`no such contract: ${unknown.join(', ')}`)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
    return
  }
  for (const name of names.length > 0 ? names.filter(isContract) : (Object.keys(contracts) as ContractName[])) {
    const { chainId, ...deployment } = await contracts[name](config)
    const file = await record(chainId, name, deployment)
    console.log(`${name} is at ${deployment.address} on chain ${chainId}; recorded in ${file}.`)
  }
  console.log('Next: verify the source, see contracts/README.md.')
}

/** Recorded one by one, so that a deployment that fails does not hide the one before it. */
async function record(chainId: number, name: ContractName, deployment: object): Promise<string> {
  const file = fileURLToPath(new URL(`./deployments/${chainId}.json`, import.meta.url))
  const before = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as object,
    () => ({}),
  )
  await mkdir(new URL('./deployments/', import.meta.url), { recursive: true })
  await writeFile(file, `${JSON.stringify({ ...before, [name]: deployment }, null, 2)}\n`)
  return file
}

await main(process.argv.slice(2))
