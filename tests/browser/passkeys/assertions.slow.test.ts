import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  intentChallenge,
  parseOwners,
  transactionIntent,
  verifyOwnersApproval,
  verifyPasskeyApproval,
  type OwnerCredential,
  type OwnersRecord,
  type PasskeyApproval,
} from '@perigee/core/authorisation'
import { fromHex, toHex, type Hex } from '@perigee/core/bytes'
import { theyAccept } from '../../../core/authorisation/testing/theyAccept.js'
import { createRandom } from '../../createRandom.js'
import { virtualAuthenticators, type VirtualAuthenticator } from '../../harness/authenticators.js'
import { describeInChromium } from '../../harness/browser/chromium.js'
import { openModule, type OpenModule } from '../../harness/browser/openModule.js'

const sdk = resolve(import.meta.dirname, '../../../sdk')
// Relative to `sdk`: what the package runs in a page, and the browser's own `navigator.credentials` under it.
const contents = `
  import { askPasskey } from './passkeys/askPasskey.js'
  import { createPasskey } from './passkeys/creation/createPasskey.js'
  import { agree, nextRecord } from './passkeys/record.js'
  const site = { rpId: location.hostname, origin: location.origin }
  const user = { id: 'u', email: 'ada@example.test', name: 'Ada' }
  let made
  export const create = async () => {
    made = await createPasskey(site, user, [])
    const next = await nextRecord(null, [made.credential], null)
    const candidates = [{ publicKey: made.credential.publicKey, id: made.id }]
    const address = '0x' + '00'.repeat(20)
    return { ...made, owners: next, approval: await agree({ site }, { address, current: null, next }, candidates) }
  }
  export const approve = async (matters) => {
    const candidates = [{ publicKey: made.credential.publicKey, id: made.id }]
    const approvals = []
    for (const matter of matters) approvals.push(await askPasskey(site, matter, candidates))
    return approvals
  }
  export const again = () => createPasskey(site, user, [made.id]).then(() => 'made', (error) => error.code)
  export const failing = () => askPasskey(site, {
    kind: 'owners', address: '0x' + '00'.repeat(20), ownersHash: '0x' + '00'.repeat(32), chainId: 0,
    digest: '0x' + '00'.repeat(32) }, [{ publicKey: made.credential.publicKey, id: made.id }])
    .then(() => 'approved', (error) => error.code)`

interface Made {
  id: string
  credential: OwnerCredential
  owners: OwnersRecord
  approval: PasskeyApproval
}

describeInChromium('passkeys in Chromium', (browser) => {
  let module: OpenModule
  let authenticator: VirtualAuthenticator
  let made: Made
  const { below } = createRandom(22)
  const bytes = (length: number): Hex => toHex(Uint8Array.from({ length }, () => below(256)))

  beforeAll(async () => {
    module = await openModule(browser(), contents, sdk)
    authenticator = await (await virtualAuthenticators(module.page)).add('internal')
    made = (await module.call('create')) as Made
  })
  afterAll(() => module?.close())

  test('a passkey that Chromium made signs the record that names it, as core demands', async () => {
    const now = Math.floor(Date.now() / 1000)
    const approval = { passkeys: [made.approval], recovery: null }
    await verifyOwnersApproval(approval, { current: null, next: parseOwners(made.owners) }, now)
  })

  test('300 real assertions are accepted, by us and by @simplewebauthn/server, whatever members Chromium adds and whatever s is', async () => {
    const matters = Array.from({ length: 300 }, (_, i) =>
      transactionIntent(bytes(20), made.owners, i % 2 ? 11155111 : 31337, bytes(32)),
    )
    const approvals = (await module.call('approve', matters)) as PasskeyApproval[]
    expect(approvals).toHaveLength(300)
    for (const [i, approval] of approvals.entries()) {
      const matter = matters[i] as (typeof matters)[number]
      await verifyPasskeyApproval(approval, made.owners.credentials, matter)
      const { validUntil, salt } = approval
      expect(await theyAccept(approval, made.credential, intentChallenge({ ...matter, validUntil, salt }))).toBe(true)
    }
    const longer = approvals.filter(({ clientDataJSON }) => clientDataJSON.includes('other_keys_can_be_added_here'))
    const high = approvals.filter(({ signature }) => isHigh(fromHex(signature)))
    const counts = { accepted: approvals.length, withExtraMember: longer.length, highS: high.length }
    console.log(`assertions of Chromium ${browser().version()}: ${JSON.stringify(counts)}`)
    expect(high.length).toBeGreaterThan(75)
    expect(longer.length).toBeGreaterThan(10)
    expect(new Set(approvals.map(({ salt }) => salt)).size).toBe(300)
    // Each is for its own matter only.
    const [first, second] = [approvals[0] as PasskeyApproval, matters[1] as (typeof matters)[number]]
    await expect(verifyPasskeyApproval(first, made.owners.credentials, second)).rejects.toMatchObject({
      code: 'authorisation_invalid',
    })
  })

  test('the same device is not enrolled twice, and a person who is not verified gives nothing', async () => {
    expect(await module.call('again')).toBe('passkey_exists')
    await authenticator.setVerifies(false)
    expect(await module.call('failing')).toBe('authorisation_declined')
    await authenticator.setVerifies(true)
    expect(await module.call('failing')).toBe('approved')
  })
})

const halfOrder = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n

/** Whether s of a DER signature is above half the order of the curve. */
function isHigh(der: Uint8Array): boolean {
  const rLength = der[3] as number
  const s = der.subarray(4 + rLength + 2)
  return BigInt(toHex(s)) > halfOrder
}
