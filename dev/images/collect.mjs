// After `npm run build`: what goes into each image, in dist/images/<name>, with its bill of materials. The Dockerfile copies these.
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPackages, keepPackages } from './keepPackages.mjs'
import { writeSbom } from './writeSbom.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * `files` are copied; `entries` say what else is loaded: some files of a package are started by path. `sources` are bundled
 * from packages, which the bill names too.
 */
const images = {
  api: {
    files: ['dist/api.mjs', 'dist/migrate.mjs', 'dist/failureConverter.cjs', 'docs/receipt-v1.md'],
    entries: ['dist/api.mjs', 'dist/migrate.mjs', 'dist/failureConverter.cjs'],
  },
  worker: {
    files: ['dist/worker.mjs', 'dist/failureConverter.cjs', 'dist/workflows.cjs', 'dist/workflowsTraced.cjs'],
    entries: [
      'dist/worker.mjs',
      'dist/failureConverter.cjs',
      'node_modules/@temporalio/worker/lib/workflow/workflow-worker-thread.js',
    ],
  },
  codec: { files: ['dist/codec.mjs'], entries: ['dist/codec.mjs'] },
  web: {
    files: ['dist/web.mjs', 'web/dist'],
    entries: ['dist/web.mjs'],
    sources: ['web/server/main.ts', 'web/main.tsx'],
  },
}

const folderOf = (name) => join(root, 'dist/images', name)
for (const [name, { files }] of Object.entries(images)) {
  const out = folderOf(name)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  for (const file of [...files, 'LICENSE', 'package.json']) {
    await cp(join(root, file), join(out, file), { recursive: true })
  }
}
const wanted = Object.entries(images).map(([name, { entries }]) => ({ entries, out: folderOf(name) }))
const kept = await keepPackages({ root, images: wanted })
for (const [index, [name, { sources = [] }]] of Object.entries(images).entries()) {
  const { packages, bytes } = kept[index]
  const bundled = sources.length > 0 ? await findPackages({ root, entries: sources }) : []
  const named = [...new Set([...packages, ...bundled])].sort()
  await writeSbom({ root, name, packages: named, file: join(folderOf(name), 'sbom.cdx.json') })
  console.log(`  ✓ ${name}: ${packages.length} packages, ${(bytes / 1e6).toFixed(1)} MB`)
}

// The enclave's image is measured and holds its bundle alone; its bill is published beside it.
const enclave = await findPackages({ root, entries: ['enclave/main.ts'] })
await writeSbom({ root, name: 'enclave', packages: enclave, file: join(root, 'dist/enclave.sbom.cdx.json') })
console.log(`  ✓ enclave: bundled from ${enclave.length} packages`)
