import { expect, test } from 'vitest'
import { errorCatalogue } from '@perigee/core'
import { documentedRoutes } from '../testing/documentedRoutes.js'
import { createOpenApi } from './createOpenApi.js'

type Json = Record<string, unknown>
const document = createOpenApi(documentedRoutes(), {
  url: 'http://localhost:8080',
  sessionCookie: 'perigee_session',
}) as {
  openapi: string
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json> }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('describes every route of the design', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'delete /auth/sessions/{id}',
    'delete /operator/users/{id}/sessions',
    'get /auth/me',
    'get /auth/sessions',
    'get /auth/{provider}',
    'get /auth/{provider}/callback',
    'get /docs/receipt-v1',
    'get /health',
    'get /health/attestation',
    'get /health/ready',
    'get /health/serving',
    'get /openapi.json',
    'get /operator/proof/{slug}',
    'get /proof/{slug}',
    'get /proof/{slug}/events',
    'get /wallet/me',
    'get /wallet/owners',
    'post /auth/logout',
    'post /sign/digest',
    'post /sign/message',
    'post /wallet/owners',
    'post /wallet/provision',
  ])
})

test('every reference leads somewhere, and every operation has its own id', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name as string)
  expect(new Set(operations.map(({ operation }) => operation['operationId'])).size).toBe(operations.length)
})

test('strict bodies are strict on paper too', () => {
  expect(document.components.schemas['SignDigestRequest']).toMatchObject({ additionalProperties: false })
  expect(document.components.schemas['TxMetadata']).toMatchObject({ additionalProperties: false })
  expect(document.components.schemas['TxMetadata']?.['required']).toHaveLength(8)
})

test('every operation documents its errors as problems with known codes', () => {
  for (const { operation } of operations) {
    const problems = Object.entries(operation['responses'] as Record<string, Json>).filter(
      ([status]) => status >= '400',
    )
    expect(problems.length).toBeGreaterThan(0)
    for (const [status, { description, content }] of problems) {
      expect(Object.keys(content as Json)).toEqual(['application/problem+json'])
      for (const code of String(description).split(': ')[1]?.split(', ') ?? []) {
        expect(errorCatalogue[code as keyof typeof errorCatalogue].status).toBe(Number(status))
      }
    }
  }
})

test('a body that may be absent is not required on paper', () => {
  const required = operations.flatMap(({ method, path, operation }) => {
    const body = operation['requestBody'] as { required: boolean } | undefined
    return body?.required ? [`${method} ${path}`] : []
  })
  expect(required.sort()).toEqual(['post /sign/digest', 'post /sign/message', 'post /wallet/owners'])
})
