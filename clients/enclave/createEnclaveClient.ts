import { createHash, X509Certificate } from 'node:crypto'
import { Agent, request } from 'node:https'
import { checkServerIdentity } from 'node:tls'
import { ServiceError } from '@perigee/core'
import {
  parseChangeOwnersAnswer,
  parseCreateKeyAnswer,
  parseEnclaveInfo,
  parseResealKeyAnswer,
  parseSignMessageAnswer,
  parseSignTransactionAnswer,
  type ChangeOwnersRequest,
  type CreateKeyRequest,
  type ResealKeyRequest,
  type SignMessageRequest,
  type SignTransactionRequest,
} from '@perigee/core/enclave'
import { channelError, enclaveError } from './enclaveErrors.js'

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
}

const maxAnswerBytes = 256 * 1024

/**
 * Calls one enclave over kept-alive TLS connections. Throws ServiceErrors with the enclave's own code, or `enclave_unreachable`,
 * `client_not_authenticated`. Never retries: the caller must take a new nonce first, and keeps everything else.
 */
export function createEnclaveClient(options: EnclaveClientOptions) {
  const { url, cert, key, ca, serverKeys = [], deadlineMs = 15_000 } = options
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 16,
    minVersion: 'TLSv1.3',
    cert,
    key,
    ca,
    checkServerIdentity: (host, certificate) =>
      checkServerIdentity(host, certificate) ?? pinnedKeyProblem(certificate.raw, serverKeys),
  })

  function call(path: string, body?: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
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
    createKey: async (body: CreateKeyRequest) => parseCreateKeyAnswer(await call('/create-key', body)),
    signTransaction: async (body: SignTransactionRequest) =>
      parseSignTransactionAnswer(await call('/sign-transaction', body)),
    signMessage: async (body: SignMessageRequest) => parseSignMessageAnswer(await call('/sign-message', body)),
    changeOwners: async (body: ChangeOwnersRequest) => parseChangeOwnersAnswer(await call('/change-owners', body)),
    resealKey: async (body: ResealKeyRequest) => parseResealKeyAnswer(await call('/reseal-key', body)),
    info: async () => parseEnclaveInfo(await call('/info')),
    close: () => agent.destroy(),
  }
}

export type EnclaveClient = ReturnType<typeof createEnclaveClient>

function pinnedKeyProblem(certificate: Buffer, allowed: readonly string[]): Error | undefined {
  if (allowed.length === 0) return undefined
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  if (allowed.includes(createHash('sha256').update(spki).digest('hex'))) return undefined
  return new ServiceError('enclave_refused', 'the enclave has another channel key than the pinned one')
}
