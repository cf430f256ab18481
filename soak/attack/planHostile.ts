import type { SignDigestResult } from '@perigee/core/workflow'
import { patiently } from '../../tests/rigs/patiently.js'
import type { SoakUser } from '../load/createUser.js'
import type { Account, HostilePlan } from './hostile/Plan.js'
import { captureReplays } from './captureReplays.js'
import type { Attacked } from './openAttack.js'
import { signOnce } from './signOnce.js'

/** Proofs that the holder keeps pending: signed and never sent. */
const pendingCount = 3
const sessionsEach = 3
const endsAfterMs = 30 * 60_000

/** Everything that the hostile users need: sessions, live and ended, addresses, pending proofs, and what was captured. */
export async function planHostile({ apiUrls, file, honest, hostile }: Attacked): Promise<HostilePlan> {
  const { chainId } = file
  const apiUrl = apiUrls[0] as string
  let address = 10
  const accountOf = async (user: SoakUser, name: string, addresses: number): Promise<Account> => {
    const deadHeaders = await endedSession(user, apiUrl)
    const sessions = [user.headers()]
    while (sessions.length < sessionsEach) {
      await patiently(user.signInAgain)
      sessions.push(user.headers())
    }
    const own = Array.from({ length: addresses }, () => `127.0.0.${++address}`)
    return { name, wallet: user.wallet, headers: user.headers(), sessions, deadHeaders, addresses: own }
  }
  const [holder, replayer] = [hostile.holder[0] as SoakUser, hostile.replayer[0] as SoakUser]
  const flooders: Account[] = []
  for (const [index, user] of hostile.flooder.entries()) flooders.push(await accountOf(user, `flooder ${index + 1}`, 1))
  const signers: Account[] = []
  for (const [index, user] of hostile.signer.entries()) signers.push(await accountOf(user, `signer ${index + 1}`, 4))
  const pendingSlugs: string[] = []
  while (pendingSlugs.length < pendingCount) {
    const { slug } = JSON.parse((await signOnce(holder, apiUrl)).answer) as SignDigestResult
    pendingSlugs.push(slug)
  }
  return {
    apiUrls,
    chainId,
    flooders,
    signers,
    holder: await accountOf(holder, 'holder', 1),
    replayer: await accountOf(replayer, 'replayer', 2),
    replays: await captureReplays({ replayer, honest, apiUrl }),
    pendingSlugs,
    endsAfterMs,
  }
}

/** Headers with the cookie of a session that was signed out; the user has another afterwards. */
async function endedSession(user: SoakUser, apiUrl: string): Promise<Record<string, string>> {
  const headers = user.headers()
  await patiently(user.signInAgain)
  const answer = await fetch(`${apiUrl}/auth/logout`, { method: 'POST', headers, body: '{}' })
  if (answer.status !== 204) throw new Error(`/auth/logout: ${answer.status}`)
  return headers
}
