import { readFileSync, writeFileSync } from 'node:fs'
import { createPrivateKey } from 'node:crypto'
import { releaseFile, releaseSchema } from '@perigee/core/measurements'
import { signRelease } from './signRelease.js'

// tsx dev/release/main.ts <release.json> <ed25519 private key, PEM> <measurements.json>
const [input, keyFile, output] = process.argv.slice(2)
if (!input || !keyFile || !output) {
  console.error('usage: tsx dev/release/main.ts release.json key.pem measurements.json')
  process.exit(2)
}
const { d, crv } = createPrivateKey(readFileSync(keyFile)).export({ format: 'jwk' })
if (crv !== 'Ed25519' || !d) throw new Error('the release key must be Ed25519')
const release = releaseSchema.parse(JSON.parse(readFileSync(input, 'utf8')))
writeFileSync(output, releaseFile(signRelease(release, Buffer.from(d, 'base64url'))))
console.log(`signed ${release.enclaves.length} enclave and ${release.coordinators.length} coordinator builds`)
