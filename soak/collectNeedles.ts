import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Needles } from './check/findLeaks.js'
import type { SoakUser } from './load/createUser.js'

const cookiesEach = 3

/** What must be in no log and no history: whoever signs, what they carry, and every secret of the stack. */
export function collectNeedles(
  dir: string,
  env: NodeJS.ProcessEnv,
  users: readonly SoakUser[],
  canary: string,
): Needles {
  const secrets = JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8')) as Record<string, string>
  const needles: Needles = { 'a canary from a header or cookie': canary }
  for (const [name, value] of Object.entries(secrets)) needles[`secret ${name}`] = value
  if (env['OIDC_DEV_CLIENT_SECRET']) needles['the OIDC client secret'] = env['OIDC_DEV_CLIENT_SECRET']
  for (const { index, email, cookies } of users) {
    needles[`the e-mail of user ${index}`] = email
    // Every session's cookie has the same shape, which is looked for as well; a few by value are enough.
    for (const [number, cookie] of [...cookies].slice(0, cookiesEach).entries()) {
      needles[`cookie ${number} of user ${index}`] = cookie
    }
  }
  return needles
}
