// Builds the enclave into one file, dist/enclave.mjs (or the path given), and prints its SHA-256.
// The same sources and lock file give the same bytes: the bundle contains no time, path or random name.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** @returns {Promise<string>} SHA-256 of the bundle, hex */
export async function buildEnclave(outfile) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['enclave/main.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    // CommonJS packages inside the bundle load Node's own modules through require.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  const [{ contents }] = result.outputFiles
  mkdirSync(dirname(outfile), { recursive: true })
  writeFileSync(outfile, contents)
  return createHash('sha256').update(contents).digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outfile = resolve(process.argv[2] ?? join(root, 'enclave', 'dist', 'enclave.mjs'))
  console.log(`0x${await buildEnclave(outfile)}`)
}
