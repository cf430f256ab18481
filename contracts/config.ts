import { isAddress, isHex, type Address, type Hex } from 'viem'
import type { DeploymentInput } from './deployContract.js'

export type DeployConfig = DeploymentInput & { publishers: Address[] }

/** Reads what a deployment needs; throws one error that names every missing or wrong variable. */
export function parseConfig(env: Record<string, string | undefined>): DeployConfig {
  const problems: string[] = []
  const text = (name: string) => {
    if (!env[name]) problems.push(`${name} is missing`)
    return env[name] ?? ''
  }
  const rpcUrl = text('DEPLOY_RPC_URL')
  if (rpcUrl && !/^https?:\/\//.test(rpcUrl)) problems.push('DEPLOY_RPC_URL must be an http(s) URL')
  const deployerKey = text('DEPLOY_PRIVATE_KEY')
  if (deployerKey && !(isHex(deployerKey) && deployerKey.length === 66)) {
    problems.push('DEPLOY_PRIVATE_KEY must be 0x and 64 hex digits')
  }
  const owner = text('CONTRACT_OWNER')
  if (owner && !isAddress(owner)) problems.push('CONTRACT_OWNER must be an address')
  const publishers = text('CONTRACT_PUBLISHERS').split(',').filter(Boolean)
  if (!publishers.every((one) => isAddress(one)))
    problems.push('CONTRACT_PUBLISHERS must be addresses, comma-separated')
  const confirmations = Number(env['DEPLOY_CONFIRMATIONS'] || 2)
  if (!Number.isSafeInteger(confirmations) || confirmations < 1) {
    problems.push('DEPLOY_CONFIRMATIONS must be a whole number from 1')
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const typed = { deployerKey: deployerKey as Hex, owner: owner as Address, publishers: publishers as Address[] }
  return { rpcUrl, ...typed, confirmations }
}
