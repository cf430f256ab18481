import { connect } from 'node:http2'
import { connect as tcpConnect } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import { connectionOptions, type TemporalPlace } from './config.js'
import { grpcStatus, missingSearchAttributes } from './prepareNamespace.js'

export type TemporalProblemCode =
  | 'temporal_unreachable'
  | 'temporal_tls'
  | 'temporal_unauthorised'
  | 'temporal_namespace_missing'
  | 'temporal_search_attributes_missing'

/** Why a Temporal server cannot be used. The message is one line that says what to do. */
export class TemporalProblem extends Error {
  override readonly name = 'TemporalProblem'
  constructor(
    readonly code: TemporalProblemCode,
    message: string,
    cause?: unknown,
  ) {
    super(`${code}: ${message}`, { cause })
  }
}

const answerTimeoutMs = 30_000

/**
 * Whether this server can be used as it is: reachable, with our certificate and token, and with the namespace and its
 * search attributes, which an operator creates beforehand. Throws a TemporalProblem.
 */
export async function checkTemporal(place: TemporalPlace): Promise<void> {
  const { address, namespace } = place
  await knock(place)
  const connection = Connection.lazy(connectionOptions(place))
  try {
    await connection.withDeadline(Date.now() + answerTimeoutMs, () => checkNamespace(connection, place))
  } catch (error) {
    if (error instanceof TemporalProblem) throw error
    if (isRefusal(error)) throw unauthorised(place, error)
    if (hasStatus(error, grpcStatus.notFound)) {
      const text = `${address} has no namespace ${namespace}; an operator creates it first (temporal/RUNBOOK.md)`
      throw new TemporalProblem('temporal_namespace_missing', text, error)
    }
    throw new TemporalProblem('temporal_unreachable', `${address} stopped answering`, error)
  } finally {
    await connection.close()
  }
}

async function checkNamespace(connection: Connection, { address, namespace }: TemporalPlace): Promise<void> {
  await connection.workflowService.describeNamespace({ namespace })
  await requireWrite(connection, namespace)
  const missing = await missingSearchAttributes(connection, namespace)
  if (missing.length === 0) return
  const text = `namespace ${namespace} of ${address} lacks the search attributes ${missing.join(', ')}; an operator creates them first (temporal/RUNBOOK.md)`
  throw new TemporalProblem('temporal_search_attributes_missing', text)
}

/** Asks for something that changes nothing, because it names no workflow: the authoriser decides before that is noticed. */
async function requireWrite(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.requestCancelWorkflowExecution({ namespace })
  } catch (error) {
    if (isRefusal(error)) throw error
  }
}

/** Looks whether the server talks to us at all. A gRPC client only says that time is up, not what is wrong. */
async function knock({ address, tls }: TemporalPlace): Promise<void> {
  const details = tls === true || tls === null ? {} : tls
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? []
  const where = { host, port: Number(port) }
  const socket = tls
    ? tlsConnect({
        ...where,
        servername: details.serverNameOverride ?? host,
        ALPNProtocols: ['h2'],
        ...(details.serverRootCACertificate && { ca: details.serverRootCACertificate }),
        ...(details.clientCertPair && { cert: details.clientCertPair.crt, key: details.clientCertPair.key }),
      })
    : tcpConnect(where)
  const session = connect(`${tls ? 'https' : 'http'}://${address}`, { createConnection: () => socket })
  let timer: NodeJS.Timeout | undefined
  const reason = await new Promise<(Error & { code?: string }) | null>((resolve) => {
    session.once('remoteSettings', () => {
      // With TLS 1.3 a server refuses our certificate only after it has greeted us.
      session.ping((error) => resolve(error))
    })
    socket.on('error', resolve)
    session.on('error', resolve)
    socket.once('close', () => resolve(new Error('the connection was closed')))
    timer = setTimeout(() => resolve(new Error('no answer')), answerTimeoutMs)
  })
  clearTimeout(timer)
  session.destroy()
  if (!reason) return
  const says = reason.code ?? reason.message
  if (isAboutTls(reason)) {
    const text = `${address} and we do not accept each other's certificates (${says}); see TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY and TEMPORAL_TLS_SERVER_NAME`
    throw new TemporalProblem('temporal_tls', text, reason)
  }
  throw new TemporalProblem('temporal_unreachable', `no Temporal server answers at ${address} (${says})`, reason)
}

const isAboutTls = ({ code = '', message }: Error & { code?: string }) =>
  /^ERR_(SSL|TLS)|CERT|SIGNATURE|ISSUER|EPROTO|ERR_HTTP2|ECONNRESET/.test(code) ||
  /closed|socket|protocol/i.test(message)

function unauthorised({ address, namespace, apiKey }: TemporalPlace, cause: unknown): TemporalProblem {
  const what = apiKey === null ? 'callers without a token (TEMPORAL_API_KEY)' : 'the token in TEMPORAL_API_KEY'
  const text = `${address} refuses ${what}; it needs the permission ${namespace}:write`
  return new TemporalProblem('temporal_unauthorised', text, cause)
}

const hasStatus = (error: unknown, status: number) => isGrpcServiceError(error) && Number(error.code) === status
const isRefusal = (error: unknown) =>
  hasStatus(error, grpcStatus.permissionDenied) || hasStatus(error, grpcStatus.unauthenticated)
