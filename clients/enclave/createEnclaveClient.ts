import { createHash, X509Certificate } from 'node:crypto'
import { Agent, request } from 'node:https'
import { checkServerIdentity } from 'node:tls'
import { isErrorCode, ServiceError, type Facts } from '@perigee/core'
import {
  parseChangeOwnersAnswer,
  parseCreateKeyAnswer,
  parseEnclaveInfo,
  parseResealKeyAnswer,
  parseSignTransactionAnswer,
} from '@perigee/core/enclave'
import type { EnclaveClient } from './EnclaveClient.js'

export interface EnclaveClientOptions {
  /** `https://host:port` */
  url: string
  /** PEM: our certificate and key, and the only issuer of enclave certificates that we accept. */
  cert: Buffer
  key: Buffer
  ca: Buffer
  /** When not empty, only an enclave with one of these public keys (SHA-256 of SPKI, hex without 0x). */
  serverKeys?: readonly string[]
  deadlineMs?: number
  maxConnections?: number
}

const maxAnswerBytes = 256 * 1024

/** Calls one enclave over kept-alive TLS connections. Never retries: the caller must take a new nonce first. */
export function createEnclaveClient(options: EnclaveClientOptions): EnclaveClient {
  const { url, cert, key, ca, serverKeys = [], deadlineMs = 15_000, maxConnections = 16 } = options
  const agent = new Agent({
    keepAlive: true,
    maxSockets: maxConnections,
    minVersion: 'TLSv1.3',
    cert,
    key,
    ca,
    checkServerIdentity: (host, certificate) =>
      checkServerIdentity(host, certificate) ?? pinnedKeyProblem(certificate.raw, serverKeys),
  })

  function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } // prettier-ignore
      const outgoing = request(new URL(path, url), { agent, method, headers, signal: AbortSignal.timeout(deadlineMs) })
      const fail = (error: unknown) => reject(error instanceof ServiceError ? error : channelError(error))
      outgoing.on('error', fail)
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('error', fail) // the connection died inside the answer
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxAnswerBytes) outgoing.destroy(new ServiceError('enclave_refused', 'the answer is too large'))
          else chunks.push(chunk)
        })
        response.on('end', () => {
          try {
            const answer: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
            if (response.statusCode === 200) resolve(answer)
            else reject(enclaveError(answer))
          } catch (error) {
            fail(error)
          }
        })
      })
      outgoing.end(text)
    })
  }

  return {
    createKey: async (body) => parseCreateKeyAnswer(await call('POST', '/create-key', body)),
    signTransaction: async (body) => parseSignTransactionAnswer(await call('POST', '/sign-transaction', body)),
    changeOwners: async (body) => parseChangeOwnersAnswer(await call('POST', '/change-owners', body)),
    resealKey: async (body) => parseResealKeyAnswer(await call('POST', '/reseal-key', body)),
    info: async () => parseEnclaveInfo(await call('GET', '/info')),
    close: () => agent.destroy(),
  }
}

function pinnedKeyProblem(certificate: Buffer, allowed: readonly string[]): Error | undefined {
  if (allowed.length === 0) return undefined
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  if (allowed.includes(createHash('sha256').update(spki).digest('hex'))) return undefined
  return new ServiceError('enclave_refused', 'the enclave has another channel key than the pinned one')
}

/** The enclave's own refusal, with its code. A code we do not know becomes `enclave_refused`. */
function enclaveError(answer: unknown): ServiceError {
  const { code, message, facts } = (answer ?? {}) as { code?: unknown; message?: unknown; facts?: unknown }
  if (!isErrorCode(code)) return new ServiceError('enclave_refused', 'the enclave refused without a known code')
  return new ServiceError(code, typeof message === 'string' ? message : code, publicFacts(facts))
}

function publicFacts(facts: unknown): Facts {
  const entries = Object.entries((typeof facts === 'object' && facts) || {})
  return Object.fromEntries(entries.filter(([, value]) => value === null || typeof value !== 'object'))
}

/** TLS alerts that refuse our certificate (RFC 8446, 6.2). */
const refusedCertificate = /ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|CERTIFICATE_UNKNOWN)/

function channelError(cause: unknown): ServiceError {
  const code = String((cause as NodeJS.ErrnoException)?.code ?? '')
  if (refusedCertificate.test(code)) {
    return new ServiceError('client_not_authenticated', 'the enclave does not accept our certificate', {}, cause)
  }
  return new ServiceError('enclave_unreachable', 'no answer from the enclave; whether it signed is unknown, and a retry is safe', { reason: code }, cause) // prettier-ignore
}
