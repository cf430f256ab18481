import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SoakUser } from '../../load/createUser.js'
import type { Needles } from './findLeaks.js'

const cookiesEach = 3

/** What must appear in no log and no history: users' e-mail addresses, their cookies, and every secret of the stack. */
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
    // The checker also looks for the shape of a cookie, so a few values are enough.
    for (const [number, cookie] of [...cookies].slice(0, cookiesEach).entries()) {
      needles[`cookie ${number} of user ${index}`] = cookie
    }
  }
  return needles
}
