// What is inside an image: a software bill of materials (CycloneDX 1.6), made from the lock file, so that the same commit gives
// the same bytes.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes the bill of one program. `packages` are keys of the lock file, as keepPackages returns them. */
export async function writeSbom({ root, name, packages, file }) {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const components = packages.map((key) => component(key, lock.packages[key]))
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name: `perigee-${name}`, version: lock.version, 'bom-ref': `perigee-${name}` },
    },
    components,
  }
  await writeFile(file, `${JSON.stringify(bill, null, 2)}\n`)
}

function component(key, locked) {
  if (!locked?.version) throw new Error(`${key} is not in the lock file`)
  const name = locked.name ?? key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${locked.version}`
  return {
    type: 'library',
    'bom-ref': key,
    name,
    version: locked.version,
    purl,
    ...(locked.license && { licenses: [license(locked.license)] }),
    ...(locked.integrity && { hashes: [hash(locked.integrity)] }),
  }
}

/** `(MIT OR Apache-2.0)` is an expression; `MIT` is an id. */
function license(text) {
  return / (?:OR|AND|WITH) /.test(text) ? { expression: text } : { license: { name: text } }
}

/** npm's `sha512-<base64>` of the tarball. */
function hash(integrity) {
  const [algorithm, digest] = integrity.split(' ')[0].split('-')
  return { alg: algorithm === 'sha1' ? 'SHA-1' : 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }
}
