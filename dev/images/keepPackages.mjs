// Which files of node_modules a program loads. An image holds those and nothing else: no types, maps, tests or documentation,
// no other platform's binaries, no development dependency.
import { build } from 'esbuild'
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Files that no import names, because their path is computed at run time. Temporal ships native modules for five platforms. */
const openedByPath = [
  { package: '@temporalio/core-bridge', files: () => [`releases/${temporalTarget()}/index.node`] },
  { package: '@grpc/grpc-js', files: (folder) => listFiles(folder, 'proto') },
  { package: 'tiny-secp256k1', files: () => ['lib/secp256k1.wasm'] },
  { package: 'source-map', files: () => ['lib/mappings.wasm'] },
]

function temporalTarget() {
  const arch = process.arch === 'x64' ? 'x86_64' : 'aarch64'
  return process.platform === 'darwin' ? `${arch}-apple-darwin` : `${arch}-unknown-linux-gnu`
}

/**
 * Copies what `entries` load from `root`/node_modules into `out`/node_modules. Returns the packages, as keys of the lock
 * file, and the bytes copied.
 */
export async function keepPackages({ root, entries, out }) {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const files = await findFiles(root, entries, (key) => lock.packages[key]?.dev === true)
  const packages = [...new Set([...files].map(packageOf))].sort()
  for (const { package: name, files: list } of openedByPath) {
    const folder = `node_modules/${name}`
    if (packages.includes(folder)) for (const file of await list(join(root, folder))) files.add(`${folder}/${file}`)
  }
  for (const file of [...files]) for (const description of descriptionsOf(root, file)) files.add(description)
  for (const folder of new Set([...files].map(dirname))) await mkdir(join(out, folder), { recursive: true })
  let bytes = 0
  for (const file of files) {
    await copyFile(join(root, file), join(out, file))
    bytes += (await stat(join(root, file))).size
  }
  return { packages, bytes }
}

/** The packages that sources are bundled from, for programs and pages that carry them inside, whatever installs them. */
export async function findPackages({ root, entries }) {
  return [...new Set([...(await findFiles(root, entries, () => false))].map(packageOf))].sort()
}

/** Every file under node_modules that the entries reach by import or require, as Node resolves it, old and new. */
async function findFiles(root, entries, isLeftOut) {
  const files = new Set()
  // Newer Nodes prefer an export under `module-sync`, where a package has one.
  for (const conditions of [[], ['module-sync']]) {
    for (const file of await traceFiles(root, entries, isLeftOut, conditions)) files.add(file)
  }
  return files
}

async function traceFiles(root, entries, isLeftOut, conditions) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: join(root, 'dist'), // nothing is written
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    conditions, // given, so that esbuild does not add `module`, which Node does not have
    mainFields: ['main'],
    treeShaking: false,
    loader: { '.node': 'empty', '.wasm': 'empty', '.css': 'empty', '.svg': 'empty' },
    logLevel: 'error',
    plugins: [leaveOut(root, isLeftOut)],
  })
  return Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/'))
}

/** Optional packages that are not installed, and those that `isLeftOut` names, are not followed. */
function leaveOut(root, isLeftOut) {
  return {
    name: 'leave-out',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...rest }) => {
        if (pluginData === 'seen' || rest.kind === 'entry-point') return undefined
        const found = await resolve(path, { ...rest, pluginData: 'seen' })
        if (found.errors.length > 0) return { path, external: true }
        return isLeftOut(packageOf(relative(root, found.path))) ? { path, external: true } : found
      })
    },
  }
}

/** `node_modules/a/node_modules/@b/c/lib/x.js` → `node_modules/a/node_modules/@b/c` */
function packageOf(file) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file
}

/** Node reads package.json from the file's folder upwards, to know the format and the exports. */
function descriptionsOf(root, file) {
  const found = []
  for (let folder = dirname(file); folder.length >= packageOf(file).length; folder = dirname(folder)) {
    if (existsSync(join(root, folder, 'package.json'))) found.push(`${folder}/package.json`)
  }
  return found
}

async function listFiles(folder, under) {
  const names = await readdir(join(folder, under), { recursive: true, withFileTypes: true })
  return names.filter((name) => name.isFile()).map((name) => relative(folder, join(name.parentPath, name.name)))
}
