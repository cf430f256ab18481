// Builds the enclave into one file, dist/enclave.mjs (or the path given), and prints its SHA-256.
// The same sources and lock file give the same bytes: the bundle contains no time, path or random name.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** libsecp256k1 of tiny-secp256k1 2.2.4. Other bytes would handle keys, so they need a new look and a new line here. */
const secp256k1Sha256 = '5cbbcb8adc7acc3b78a3fd31c76d573302705ff5fd714d03f5a2602591197cb5'

/** Embeds the WebAssembly, which the package would read from a separate file, so that the bundle's hash covers it. */
const embedSecp256k1 = {
  name: 'embed-secp256k1',
  setup(build) {
    build.onLoad({ filter: /tiny-secp256k1[\\/]lib[\\/]wasm_loader\.js$/ }, ({ path }) => {
      const wasm = readFileSync(join(dirname(path), 'secp256k1.wasm'))
      const found = createHash('sha256').update(wasm).digest('hex')
      if (found !== secp256k1Sha256) throw new Error(`secp256k1.wasm is not the pinned one: ${found}`)
      const source = readFileSync(path, 'utf8')
      const contents = source.replace(
        'readFileSync(path("secp256k1.wasm"))',
        `Buffer.from('${wasm.toString('base64')}', 'base64')`,
      )
      if (contents === source) throw new Error('tiny-secp256k1 loads its WebAssembly in another way than expected')
      return { contents, loader: 'js' }
    })
  },
}

/** @returns {Promise<{ sha256: string, inputs: string[] }>} SHA-256 of the bundle, hex, and the files that went into it */
export async function buildEnclave(outfile) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['enclave/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [embedSecp256k1],
    // CommonJS packages inside the bundle load Node's own modules through require.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  const [{ contents }] = result.outputFiles
  mkdirSync(dirname(outfile), { recursive: true })
  writeFileSync(outfile, contents)
  return { sha256: createHash('sha256').update(contents).digest('hex'), inputs: Object.keys(result.metafile.inputs) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outfile = resolve(process.argv[2] ?? join(root, 'enclave', 'dist', 'enclave.mjs'))
  const { sha256 } = await buildEnclave(outfile)
  console.log(`0x${sha256}`)
}
