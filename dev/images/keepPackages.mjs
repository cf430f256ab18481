// Which files of node_modules a program loads. An image holds those and nothing else: no types, maps, tests or documentation,
// no other platform's binaries, no development dependency.
import { build } from 'esbuild'
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
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
 * Copies what the `entries` of each image load from `root`/node_modules into its `out`/node_modules. Returns for each image
 * the packages, as keys of the lock file, and the bytes copied.
 */
export async function keepPackages({ root, images }) {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const all = images.flatMap(({ entries }) => entries)
  const imports = await traceImports(root, all, (key) => lock.packages[key]?.dev === true)
  return Promise.all(images.map(({ entries, out }) => copyFiles(root, reach(imports, entries), out)))
}

async function copyFiles(root, files, out) {
  const packages = packagesOf(files)
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
  return packagesOf(reach(await traceImports(root, entries, () => false), entries))
}

/** Every file under node_modules that the entries reach. */
function reach(imports, entries) {
  const seen = new Set(entries)
  for (const file of seen) for (const next of imports.get(file) ?? []) seen.add(next) // which this loop then visits too
  return new Set([...seen].filter((file) => file.includes('node_modules/')))
}

/** What each file imports or requires, from the entries on, as Node resolves it, old and new. */
async function traceImports(root, entries, isLeftOut) {
  const imports = new Map()
  const add = (inputs) => {
    for (const [file, { imports: found }] of Object.entries(inputs)) {
      const paths = found.filter(({ external }) => !external).map(({ path }) => path)
      imports.set(file, [...(imports.get(file) ?? []), ...paths])
    }
  }
  const again = []
  const note = (path, from, found) => {
    if (found.errors.length > 0 || prefersSync(found.path)) again.push({ path, from })
  }
  add(await parse(root, { entryPoints: entries }, [], [leaveOut(root, isLeftOut, note)]))
  // Newer Nodes prefer an export under `module-sync`, where a package has one. Only such imports are resolved again, and only
  // files read that were not before.
  const contents = again.map((_, index) => `require('again:${index}')`).join('\n')
  const known = new Set(imports.keys())
  const askAgain = {
    name: 'ask-again',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^again:/ }, async ({ path }) => {
        const { path: asked, from } = again[Number(path.slice('again:'.length))]
        const found = await resolve(asked, from)
        add({ [relative(root, from.importer)]: { imports: [{ ...found, path: relative(root, found.path) }] } })
        return found
      })
      onLoad({ filter: /./ }, ({ path }) =>
        known.has(relative(root, path)) ? { contents: 'module.exports = {}' } : null,
      )
    },
  }
  const stdin = { contents, resolveDir: root }
  add(await parse(root, { stdin }, ['module-sync'], [askAgain, leaveOut(root, isLeftOut, () => undefined)]))
  return imports
}

async function parse(root, start, conditions, plugins) {
  const { metafile } = await build({
    ...start,
    absWorkingDir: root,
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
    plugins,
  })
  return metafile.inputs
}

/** Optional packages that are not installed, and those that `isLeftOut` names, are not followed. */
function leaveOut(root, isLeftOut, note) {
  return {
    name: 'leave-out',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === 'seen' || from.kind === 'entry-point') return undefined
        const found = await resolve(path, { ...from, pluginData: 'seen' })
        note(path, from, found)
        if (found.errors.length > 0) return { path, external: true }
        return isLeftOut(packageOf(relative(root, found.path))) ? { path, external: true } : found
      })
    },
  }
}

/** Whether the package of this file has an export under `module-sync`. */
function prefersSync(file) {
  const description = join(packageOf(file), 'package.json')
  return existsSync(description) && readFileSync(description, 'utf8').includes('"module-sync"')
}

const packagesOf = (files) => [...new Set([...files].map(packageOf))].sort()

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
