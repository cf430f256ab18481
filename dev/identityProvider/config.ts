import { z } from 'zod'

const schema = z.object({
  IDENTITY_PROVIDER_PORT: z.coerce.number().int().min(1).max(65_535),
  IDENTITY_PROVIDER_DIR: z.string().min(1),
  IDENTITY_PROVIDER_ISSUER: z.url().optional(),
  IDENTITY_PROVIDER_REDIRECT_URIS: z
    .string()
    .transform((text) => text.split(',').map((uri) => uri.trim()))
    .pipe(z.array(z.url()).min(1)),
})

/** Reads the variables of the development identity provider; throws one error naming every wrong one. */
export function parseConfig(env: Record<string, string | undefined>) {
  const result = schema.safeParse(env)
  if (result.success) return result.data
  const wrong = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`identity provider configuration:\n${wrong.join('\n')}`)
}
