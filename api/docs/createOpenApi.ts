import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { errorCatalogue, type ErrorCode } from '@perigee/core'
import type { Route } from '../http/Route.js'
import { idempotencyKeyPattern } from '../idempotency/claimOf.js'
import { problemSchema } from '../schemas.js'

type JsonObject = Record<string, unknown>
type ToSchema = (type: z.ZodType) => JsonObject

/** Codes any route may answer with. */
const everywhere: ErrorCode[] = [
  'invalid_request',
  'headers_too_large',
  'request_timeout',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]
const ofUnsafe: ErrorCode[] = ['origin_not_allowed', 'unsupported_media_type', 'payload_too_large']

/**
 * OpenAPI 3.1, generated from the routes. Their schemas describe requests and need not be what parses them;
 * `bodies.slow.test.ts` compares the two.
 */
export function createOpenApi(routes: readonly Route[], server: { url: string; sessionCookie: string }): JsonObject {
  const components = new Map<string, JsonObject>()
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    const path = route.path.replace(/:([a-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operation(route, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perigee',
      version: '1',
      description: 'Ethereum wallets whose keys never leave an enclave, with a public receipt for every signature.',
      license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: server.url }],
    paths,
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: server.sessionCookie } },
    },
  }
}

function operation(route: Route, components: Map<string, JsonObject>): JsonObject {
  const schema = (type: z.ZodType) => toSchema(type, components)
  const parameters = [
    ...parametersOf('path', route.params, schema),
    ...parametersOf('query', route.query, schema),
    ...(route.method === 'get' ? [] : [originParameter]),
    ...(route.idempotencyKey ? [idempotencyParameter] : []),
  ]
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.session && { security: [{ session: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: bodyOf(route.body, schema) }),
    responses: { ...answers(route, schema), ...problems(route, schema) },
  }
}

/** A body that may be `{}` may also be absent. */
function bodyOf(body: z.ZodType, schema: ToSchema): JsonObject {
  const required = !body.safeParse({}).success
  return { required, content: { 'application/json': { schema: schema(body) } } }
}

const originParameter = {
  name: 'Origin',
  in: 'header',
  required: true,
  description: 'an allow-listed origin; browsers send it automatically',
  schema: { type: 'string' },
}

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'one key, one request: the same key again gives the same answer, for a day, even if its approval has expired since',
  schema: { type: 'string', pattern: idempotencyKeyPattern },
}

function parametersOf(where: 'path' | 'query', object: z.ZodObject | undefined, schema: ToSchema) {
  return Object.entries(object?.shape ?? {}).map(([name, type]) => ({
    name,
    in: where,
    required: where === 'path' || !(type as z.ZodType).safeParse(undefined).success,
    schema: schema(type as z.ZodType),
  }))
}

function answers(route: Route, schema: ToSchema): JsonObject {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => {
      const type = answer.contentType ?? (answer.schema ? 'application/json' : null)
      const content = type && { [type]: { schema: answer.schema ? schema(answer.schema) : { type: 'string' } } }
      return [status, { description: answer.description, ...(content && { content }) }]
    }),
  )
}

/** One entry per status, listing its codes. */
function problems(route: Route, schema: ToSchema): JsonObject {
  const codes = new Set<ErrorCode>([
    ...everywhere,
    ...(route.method === 'get' ? [] : ofUnsafe),
    ...(route.errors ?? []),
  ])
  if (route.session) codes.add('not_signed_in')
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = errorCatalogue[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      status,
      {
        description: `${STATUS_CODES[status]}: ${of.join(', ')}`,
        content: { 'application/problem+json': { schema: schema(problemSchema) } },
      },
    ]),
  )
}

/** JSON Schema 2020-12 of a zod schema. zod puts schemas with an id into `$defs`; here they become components. */
function toSchema(type: z.ZodType, components: Map<string, JsonObject>): JsonObject {
  const { $defs, ...root } = z.toJSONSchema(type, { io: 'input', target: 'draft-2020-12' }) as JsonObject
  const { $schema: _, ...own } = root
  const fix = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'))
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonObject>)) {
    const { id: _id, ...rest } = definition
    components.set(name, fix(rest) as JsonObject)
  }
  return fix(own) as JsonObject
}
