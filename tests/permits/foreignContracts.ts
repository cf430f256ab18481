import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseAbi, type Hex } from 'viem'

const require = createRequire(import.meta.url)
const packages = join(import.meta.dirname, '../../node_modules')

export const tokenAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function balanceOf(address account) view returns (uint256)',
  'function nonces(address owner) view returns (uint256)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function transferFrom(address from, address to, uint256 amount) returns (bool)',
  'error ERC2612InvalidSigner(address signer, address owner)',
])

export const permit2Abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'function permitTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes signature)',
  'error InvalidSigner()',
  'error InvalidNonce()',
])

/** OpenZeppelin's ERC-20 with EIP-2612, compiled now. */
export function compileToken(): Hex {
  const solc = require('solc') as {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string
  }
  const input = {
    language: 'Solidity',
    sources: { 'PermitToken.sol': { content: readFileSync(join(import.meta.dirname, 'PermitToken.sol'), 'utf8') } },
    settings: { outputSelection: { 'PermitToken.sol': { PermitToken: ['evm.bytecode.object'] } } },
  }
  const read = (path: string) => ({ contents: readFileSync(join(packages, path), 'utf8') })
  const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input), { import: read })) as {
    contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
    errors?: { formattedMessage: string }[]
  }
  const compiled = contracts?.['PermitToken.sol']?.['PermitToken']
  if (!compiled) throw new Error(errors?.map((error) => error.formattedMessage).join('\n'))
  return `0x${compiled.evm.bytecode.object}`
}

/** Uniswap's Permit2 as Uniswap compiled it: the universal router's package carries its creation bytecode. */
export function permit2Bytecode(): Hex {
  const file = join(packages, '@uniswap/universal-router/typechain/factories/Permit2__factory.ts')
  const found = /_bytecode =\s+"(0x[0-9a-f]+)"/.exec(readFileSync(file, 'utf8'))
  if (!found) throw new Error(`${file} holds no bytecode`)
  return found[1] as Hex
}
