import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import type { EnvReader } from '@perigee/core/config'
import { webhookEvents } from '../../database/index.js'
import { isPublicAddress } from './isPublicAddress.js'
import { parseSecret } from './signWebhook.js'

export interface WebhooksConfig {
  applications: Application[]
  /** Whether private addresses may be reached: never in production. */
  allowPrivate: boolean
}

/** An application as `WEBHOOKS_FILE` describes it. */
export type Application = z.infer<ReturnType<typeof schemaFor>>['applications'][number]

/** Null without `WEBHOOKS_FILE`. Problems name the field that is wrong, and never its value. */
export function parseWebhooksConfig(env: EnvReader): WebhooksConfig | null {
  if (!env.has('WEBHOOKS_FILE')) return null
  const production = env.text('NODE_ENV', 'development') === 'production'
  const none = { applications: [], allowPrivate: !production }
  const text = env.file('WEBHOOKS_FILE', (path) => readFileSync(path, 'utf8'))
  if (text === undefined) return none
  const { success, data, error } = schemaFor(production).safeParse(parseJson(text))
  if (success) return { ...none, ...data }
  const wrong = error.issues.slice(0, 10).map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
  env.problem(`WEBHOOKS_FILE is wrong: ${wrong.join('; ')}`)
  return none
}

function schemaFor(production: boolean) {
  const secret = z.string().refine((text) => isSecret(text, production), {
    error: 'must be whsec_ and 24 to 64 random bytes in base64 (openssl rand -base64 32)',
  })
  const application = z.strictObject({
    /** In workflow ids, metrics and the database, so nobody's name or address. */
    name: z.string().regex(/^[a-z0-9-]{1,40}$/, { error: 'must be 1 to 40 of a-z, 0-9 and dash' }),
    url: z.string().refine((text) => isReachable(text, production), {
      error: production
        ? 'must be an https URL of a public host, without credentials'
        : 'must be an https URL without credentials, or http on this machine',
    }),
    /** Every one signs; a receiver needs one of them. */
    secrets: z.array(secret).min(1).max(5),
    events: z.array(z.enum(webhookEvents)).min(1),
    /** Only wallets of people from these issuers. */
    walletsOf: z.array(z.string().min(1)).min(1).optional(),
  })
  return z.strictObject({
    applications: z
      .array(application)
      .max(100)
      .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, { error: 'two have the same name' }),
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSecret(text: string, production: boolean): boolean {
  const bytes = parseSecret(text)
  return bytes !== null && (!production || new Set(bytes).size >= 8)
}

function isReachable(text: string, production: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (username || password || hash) return false
  const address = hostname.replace(/^\[|\]$/g, '')
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
  if (protocol === 'http:') return isLoopback && !production
  return protocol === 'https:' && (!production || (!isLoopback && (isIP(address) === 0 || isPublicAddress(address))))
}
