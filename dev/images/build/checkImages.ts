import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../../stack/components/program.js'
import type { Project } from '../compose/Project.js'
import type { Buildah } from './Buildah.js'
import { buildOnlyFiles, type BuildOptions } from './buildImages.js'
import { openImage, readImage } from './readImage.js'

/** Most that an image may add to its base, in MB. */
const limits: Record<string, number> = { api: 60, worker: 130, codec: 60, web: 60, enclave: 10 }

/**
 * Measures every image: its size, and what it adds to its base. Throws all that is wrong: too large, root, no health check, a
 * development dependency, no bill.
 */
export async function checkImages(buildah: Buildah, { services }: Project, { base, ca }: BuildOptions) {
  const problems: string[] = []
  const sizes: { image: string; megabytes: number; added: number }[] = []
  const baseCopy = await openImage(buildah, base)
  const baseBytes = bytesOf(baseCopy.rootfs)
  await baseCopy.remove()
  for (const [name, { build, image }] of Object.entries(services)) {
    if (!build) continue
    const wrong = (problem: string) => problems.push(`${image}: ${problem}`)
    const { User, Healthcheck } = await readImage(buildah, image)
    if (!User || User === 'root' || User === '0') wrong('runs as root')
    if (!Healthcheck) wrong('has no health check')
    const { rootfs, remove } = await openImage(buildah, image)
    try {
      const bytes = bytesOf(rootfs)
      const added = (bytes - baseBytes) / 1e6
      sizes.push({ image, megabytes: bytes / 1e6, added })
      const limit = limits[name] ?? 0
      if (added > limit) wrong(`adds ${added.toFixed(1)} MB to its base; ${limit} are allowed`)
      for (const problem of problemsIn(rootfs, name, ca)) wrong(problem)
    } finally {
      await remove()
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return sizes
}

/** What must not be, or is missing, among an image's files. `ca` are the authorities that the build was given. */
export function problemsIn(rootfs: string, name: string, ca?: string): string[] {
  return [...wrongPackages(rootfs, name), ...leftovers(rootfs, ca)]
}

/** Packages of the image against its bill of materials and the lock file. The enclave is one file without packages. */
function wrongPackages(rootfs: string, name: string): string[] {
  const home = join(rootfs, 'perigee')
  if (name === 'enclave') return existsSync(home) ? ['holds more than its bundle'] : []
  const lock = readJson(join(repositoryRoot, 'package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
  const bill = join(home, 'sbom.cdx.json')
  if (!existsSync(bill)) return ['has no bill of materials']
  const { components } = readJson(bill) as { components: { 'bom-ref': string }[] }
  const named = new Set(components.map((component) => component['bom-ref']))
  return packagesIn(home).flatMap((key) => [
    ...(lock.packages[key]?.dev ? [`holds ${key}, which is for development`] : []),
    ...(named.has(key) ? [] : [`holds ${key}, which its bill of materials does not name`]),
  ])
}

/** Keys of the lock file for what is below node_modules. */
function packagesIn(home: string, folder = 'node_modules'): string[] {
  if (!existsSync(join(home, folder))) return []
  return readdirSync(join(home, folder)).flatMap((name) => {
    const path = `${folder}/${name}`
    if (name.startsWith('@')) return packagesIn(home, path)
    return [path, ...packagesIn(home, `${path}/node_modules`)]
  })
}

/** Nothing that the build alone may use is left: not in its place, and not as the authorities that programs trust. */
function leftovers(rootfs: string, ca: string | undefined): string[] {
  const present = Object.values(buildOnlyFiles).filter((file) => existsSync(join(rootfs, file)))
  const found = present.map((file) => `still holds ${file}, which was for the build alone`)
  const bundle = join(rootfs, 'etc/ssl/certs/ca-certificates.crt')
  const same = ca && existsSync(bundle) && digestOf(bundle) === digestOf(ca)
  return same ? [...found, 'trusts the authorities of the build machine'] : found
}

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** Bytes of all files, each counted once. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? bytesOf(path) : lstatSync(path).size)
  }, 0)
}
