import { afterAll, beforeAll, expect, test } from 'vitest'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, EnvReader } from '@perigee/core/config'
import { parseWebhooksConfig } from './config.js'

let dir: string
beforeAll(() => void (dir = mkdtempSync(join(tmpdir(), 'perigee-webhooks-'))))
afterAll(() => rmSync(dir, { recursive: true }))

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const shop = { name: 'shop', url: 'https://shop.example/hooks', secrets: [secret], events: ['proof.complete'] }

function parse(content: unknown, NODE_ENV = 'production') {
  const path = join(dir, 'webhooks.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  const env = new EnvReader({ NODE_ENV, WEBHOOKS_FILE: path })
  const config = parseWebhooksConfig(env)
  env.finish()
  return config
}

function problemsOf(content: unknown, environment?: string): string {
  try {
    parse(content, environment)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).problems.join('\n')
  }
  return ''
}

test('without a file there are no webhooks', () => {
  expect(parseWebhooksConfig(new EnvReader({}))).toBeNull()
})

test('reads applications, and none of them', () => {
  const both = { ...shop, name: 'desk', walletsOf: ['https://accounts.google.com'] }
  expect(parse({ applications: [shop, both] })).toEqual({ applications: [shop, both], allowPrivate: false })
  expect(parse({ applications: [] }, 'development')).toEqual({ applications: [], allowPrivate: true })
})

test.each([
  ['no JSON', '{'],
  ['no list', {}],
  ['an unknown field', { applications: [{ ...shop, token: 'x' }] }],
  ['an unknown event', { applications: [{ ...shop, events: ['wallet.deleted'] }] }],
  ['no event', { applications: [{ ...shop, events: [] }] }],
  ['no secret', { applications: [{ ...shop, secrets: [] }] }],
  ['a short secret', { applications: [{ ...shop, secrets: ['whsec_c2VjcmV0'] }] }],
  ['a repeated secret', { applications: [{ ...shop, secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`] }] }],
  ['a name with a dot', { applications: [{ ...shop, name: 'a.b' }] }],
  ['one name twice', { applications: [shop, shop] }],
  ['http', { applications: [{ ...shop, url: 'http://shop.example/hooks' }] }],
  ['http on this machine', { applications: [{ ...shop, url: 'http://127.0.0.1:8080/' }] }],
  ['localhost', { applications: [{ ...shop, url: 'https://localhost/' }] }],
  ['a private address', { applications: [{ ...shop, url: 'https://10.0.0.7/' }] }],
  ['a private IPv6 address', { applications: [{ ...shop, url: 'https://[fd00::1]/' }] }],
  ['the metadata service', { applications: [{ ...shop, url: 'https://169.254.169.254/latest' }] }],
  ['credentials', { applications: [{ ...shop, url: 'https://user:pass@shop.example/' }] }],
])('production refuses a file with %s in one line that shows no value', (_, content) => {
  const problems = problemsOf(content)
  expect(problems).toMatch(/^WEBHOOKS_FILE is wrong: [^\n]+$/)
  expect(problems).not.toContain('c2VjcmV0')
  expect(problems).not.toContain('pass@')
})

test('development may reach this machine by http, and no other', () => {
  expect(problemsOf({ applications: [{ ...shop, url: 'http://localhost:8080/' }] }, 'development')).toBe('')
  expect(problemsOf({ applications: [{ ...shop, url: 'http://10.0.0.7/' }] }, 'development')).not.toBe('')
})

test('a file that is not there is named', () => {
  const env = new EnvReader({ WEBHOOKS_FILE: join(dir, 'missing.json') })
  parseWebhooksConfig(env)
  expect(() => env.finish()).toThrow('WEBHOOKS_FILE names a file that cannot be read')
})
