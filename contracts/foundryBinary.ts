import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }

/** The path of a Foundry program that npm installed. Its own wrapper script would hide the process id and exit code. */
export function foundryBinary(tool: 'anvil' | 'forge'): string {
  const name = `@foundry-rs/${tool}-${process.platform}-${architectures[process.arch] ?? process.arch}`
  try {
    // The platform package is a dependency of the tool's own, so look from there.
    const manifest = createRequire(require.resolve(`@foundry-rs/${tool}/package.json`)).resolve(`${name}/package.json`)
    return join(dirname(manifest), 'bin', tool)
  } catch {
    throw new Error(`Foundry's ${tool} is not installed for this platform (${name}).`)
  }
}
