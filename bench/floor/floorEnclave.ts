import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromHex, toHex } from '@perigee/core'
import { createQuotingEnclave } from '@perigee/core/simulation'
import { createChannelCertificates } from '../../core/x509/testing/createChannelCertificates.js'
import { signHash } from '../../enclave/keys/secp256k1.js'
import { createTdx } from '../../enclave/testing/createTestWorld.js'

/* An enclave that signs what it is asked and quotes that, and looks at nothing. Tells its parent where it is. */
const dir = mkdtempSync(join(tmpdir(), 'perigee-floor-'))
const tdx = await createTdx(dir)
const channel = await createChannelCertificates(join(dir, 'channel'))
const quoteOf = createQuotingEnclave(tdx.quoteKeys)
const key = randomBytes(32)
const padding = randomBytes(3_200).toString('hex') // with it an answer is as large as the service's

const tls = {
  cert: readFileSync(channel.serverCert),
  key: readFileSync(channel.serverKey),
  ca: readFileSync(channel.ca),
  requestCert: true,
  minVersion: 'TLSv1.3',
} as const
const server = createServer(tls, (req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const { digest } = JSON.parse(Buffer.concat(chunks).toString()) as { digest: `0x${string}` }
    const signature = signHash(fromHex(digest, 32), key)
    const quote = quoteOf({ reportData: createHash('sha512').update(signature).digest() })
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ digest, signature, quote: toHex(quote), padding }))
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ dir, url: `https://localhost:${(server.address() as { port: number }).port}/`, channel })
})
process.once('SIGTERM', () => {
  rmSync(dir, { recursive: true, force: true })
  process.exit()
})
