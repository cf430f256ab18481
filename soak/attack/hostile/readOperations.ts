/** What is read of JSON Schema. */
interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  const?: unknown
  enum?: unknown[]
  minItems?: number
  minimum?: number
  pattern?: string
}

/** One documented operation, as somebody who only has `/openapi.json` knows it. */
export interface Operation {
  id: string
  method: string
  /** With `{name}` for each parameter. */
  path: string
  /** A body as its schema describes it, as far as a schema says; null where there is none. */
  example: unknown
  hasBody: boolean
  takesKey: boolean
}

interface Described {
  operationId: string
  parameters?: { name: string }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

/** Every operation of the API's own description, so that a new endpoint is flooded as well. */
export function readOperations(text: string): Operation[] {
  const api = JSON.parse(text) as {
    paths: Record<string, Record<string, Described>>
    components: { schemas: Record<string, Schema> }
  }
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      example: requestBody ? exampleOf(requestBody.content['application/json'].schema, api.components.schemas) : null,
      hasBody: requestBody !== undefined,
      takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    })),
  )
}

const deepest = 8

/** The smallest value that the schema's types and required members allow. Patterns are not followed, except for hex. */
export function exampleOf(schema: Schema, named: Record<string, Schema>, depth = 0): unknown {
  const { $ref, type, properties = {}, required = [], anyOf, oneOf, items } = schema
  if (depth > deepest) return null
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const next = (one: Schema) => exampleOf(one, named, depth + 1)
  if ($ref !== undefined) return next(named[$ref.split('/').at(-1) ?? ''] ?? {})
  const [choice] = anyOf ?? oneOf ?? []
  if (choice) return next(choice)
  switch (type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, next(properties[name] ?? {})]))
    case 'array':
      return items && schema.minItems ? [next(items)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    case 'string':
      return String(schema.pattern ?? '').includes('0x') ? `0x${'11'.repeat(32)}` : 'text'
    default:
      return null
  }
}
