// `npm run build`: what the container images run, in dist/. Plain JavaScript, so that production needs no compiler.
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, requireNode, root } from './install.mjs'

requireNode()
await ensureInstalled()
const { build } = await import('esbuild')
const dist = join(root, 'dist')
await rm(dist, { recursive: true, force: true })
await mkdir(dist, { recursive: true })

/** Packages stay packages (dev/images/collect.mjs puts them into the image); our own workspaces are bundled. */
const packagesOutside = {
  name: 'packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@perigee/') ? undefined : { path, external: true },
    )
  },
}

const programs = {
  worker: 'workers/main.ts',
  api: 'api/main.ts',
  web: 'web/server/main.ts',
  codec: 'temporal/codecServer/main.ts',
  migrate: 'database/migrate.ts',
}

// Strangers check these two: each is one file that holds everything, so that one hash covers it.
run('enclave', ['enclave/build.mjs', 'dist/enclave.mjs'], root)
report('dist/enclave.mjs')
run('verifier', ['verifier/build.mjs'], root)
report('verifier/dist/verifier.mjs')
await build({
  absWorkingDir: root,
  entryPoints: programs,
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
  // Bundled CommonJS packages call require(), which a module does not have.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  plugins: [packagesOutside],
})
for (const name of Object.keys(programs)) report(`dist/${name}.mjs`)
// Temporal loads this one by its path, beside the program that names it.
await copyFile(join(root, 'temporal/failureConverter.cjs'), join(dist, 'failureConverter.cjs'))
run('workflows', ['--import', 'tsx', 'temporal/bundle/buildBundle.ts'], root)
run('web', [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], join(root, 'web'))
run('sdk', ['--import', 'tsx', 'sdk/build/main.ts'], root)
console.log('Built into dist/, web/dist/, sdk/dist/ and verifier/dist/.')

function report(file) {
  const contents = readFileSync(join(root, file))
  const hash = createHash('sha256').update(contents).digest('hex')
  console.log(`  ✓ ${file}  ${Math.round(contents.length / 1024)} kB  sha256 ${hash}`)
}

function run(name, args, cwd) {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) {
    console.error(`  ✗ ${name} could not be built`)
    process.exit(1)
  }
  console.log(`  ✓ ${name}`)
}
