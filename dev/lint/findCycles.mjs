// Part of `npm run lint`: fails on import cycles, type-only ones included (knip and ESLint see only those at run time).
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { root } from '../install.mjs'

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
const resolution = ts.createModuleResolutionCache(root, (name) => name, options)

/** The files of ours that a file imports, whether for values or for types. */
function importsOf(file) {
  return ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.') && !fileName.startsWith('@perigee/')) return []
    const found = ts.resolveModuleName(fileName, file, options, ts.sys, resolution).resolvedModule?.resolvedFileName
    return found && !found.includes('/node_modules/') ? [found] : []
  })
}

const graph = new Map(fileNames.map((file) => [file, importsOf(file)]))
const cycles = findCycles()
for (const cycle of cycles) console.error(`import cycle: ${cycle.map((file) => relative(root, file)).join(' -> ')}`)
process.exitCode = cycles.length > 0 ? 1 : 0

/** One cycle for every import that leads back to a file on the way to it. */
function findCycles() {
  const cycles = []
  const finished = new Set()
  const visit = (file, way) => {
    if (way.includes(file)) return void cycles.push([...way.slice(way.indexOf(file)), file])
    if (finished.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...way, file])
    finished.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return cycles
}
