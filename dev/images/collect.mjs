// After `npm run build`: what goes into each image, in dist/images/<name>, with its bill of materials. The Dockerfile copies these.
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keepPackages } from './keepPackages.mjs'
import { writeSbom } from './writeSbom.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** `files` are copied; `entries` say what else is loaded: some files of a package are started by path. */
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
  web: { files: ['dist/web.mjs', 'web/dist'], entries: ['dist/web.mjs'] },
}

for (const [name, { files, entries }] of Object.entries(images)) {
  const out = join(root, 'dist/images', name)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  for (const file of [...files, 'LICENSE', 'package.json']) {
    await cp(join(root, file), join(out, file), { recursive: true })
  }
  const { packages, bytes } = await keepPackages({ root, entries, out })
  await writeSbom({ root, name, packages, file: join(out, 'sbom.cdx.json') })
  console.log(`  ✓ ${name}: ${packages.length} packages, ${(bytes / 1e6).toFixed(1)} MB`)
}
