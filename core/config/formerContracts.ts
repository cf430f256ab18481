import type { Hex } from '../bytes/index.js'
import type { EnvReader } from './EnvReader.js'

export interface DeployedContract {
  contract: Hex
  /** Block of its deployment; 0 where nobody said. */
  block: number
}

/** `0x…@123,0x…`: addresses, with the block of their deployment where it is known. */
export function parseFormerContracts(env: EnvReader, name = 'FORMER_CONTRACTS'): DeployedContract[] {
  return env.list(name, '').flatMap((item) => {
    const [, address, block = '0'] = /^(0x[0-9a-fA-F]{40})(?:@([0-9]{1,12}))?$/.exec(item) ?? []
    if (address) return [{ contract: address.toLowerCase() as Hex, block: Number(block) }]
    env.problem(`${name} must be a list of addresses, each with @block or without`)
    return []
  })
}
