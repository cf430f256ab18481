import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBuildah } from './Buildah.js'
import { problemsIn } from './checkImages.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perigee-image-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
const bill = (...packages: string[]) =>
  put('perigee/sbom.cdx.json', JSON.stringify({ components: packages.map((key) => ({ 'bom-ref': key })) }))

test('an image with its packages and their bill is accepted', () => {
  bill('node_modules/pg', 'node_modules/@noble/hashes')
  put('perigee/node_modules/pg/package.json', '{}')
  put('perigee/node_modules/@noble/hashes/package.json', '{}')
  expect(problemsIn(folder, 'api')).toEqual([])
})

test('a development dependency, a package beyond the bill and a missing bill are named', () => {
  expect(problemsIn(folder, 'api')).toEqual(['has no bill of materials'])
  bill('node_modules/vitest')
  put('perigee/node_modules/vitest/package.json', '{}')
  put('perigee/node_modules/pg/node_modules/zod/package.json', '{}')
  expect(problemsIn(folder, 'worker').sort()).toEqual([
    'holds node_modules/pg, which its bill of materials does not name',
    'holds node_modules/pg/node_modules/zod, which its bill of materials does not name',
    'holds node_modules/vitest, which is for development',
  ])
})

test('what the build alone may use is found in the image', () => {
  bill()
  put('run/npmrc', 'cafile=/run/ca.pem')
  put('etc/ssl/certs/ca-certificates.crt', 'mirror')
  put('mirror.pem', 'mirror')
  expect(problemsIn(folder, 'api', join(folder, 'mirror.pem'))).toEqual([
    'still holds /run/npmrc, which was for the build alone',
    'trusts the authorities of the build machine',
  ])
})

test('the enclave’s image holds its bundle alone', () => {
  expect(problemsIn(folder, 'enclave')).toEqual([])
  put('perigee/dist/api.mjs', '')
  expect(problemsIn(folder, 'enclave')).toEqual(['holds more than its bundle'])
})

test('without buildah the command says what to install', async () => {
  const { PATH } = process.env
  process.env['PATH'] = folder
  try {
    await expect(openBuildah(folder)).rejects.toThrow('buildah is not installed: apt-get install buildah debootstrap')
  } finally {
    process.env['PATH'] = PATH
  }
})
