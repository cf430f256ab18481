import type { Page } from 'playwright-core'

/** One of Chromium's virtual authenticators: real keys and real assertions. */
export type VirtualAuthenticator = Awaited<ReturnType<Awaited<ReturnType<typeof virtualAuthenticators>>['add']>>

/**
 * The authenticators around one page. Left alone, Chromium's simulated person touches all of them at once, and the one
 * without the passkey ends the prompt. Here a person makes passkeys on the device that came last, and otherwise touches
 * the one that has the passkey asked for.
 */
export async function virtualAuthenticators(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const ids: string[] = []

  const holds = async (authenticatorId: string, wanted: readonly string[]) => {
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    return credentials.some(({ credentialId }) => wanted.includes(credentialId))
  }
  await page.exposeFunction('touchDevice', async (wanted: string[] | null) => {
    const held = await Promise.all(ids.map((id) => (wanted ? holds(id, wanted) : false)))
    const touched = held.includes(true) ? held.indexOf(true) : ids.length - 1
    for (const [index, authenticatorId] of ids.entries()) {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: index === touched })
    }
  })
  await page.addInitScript(touchFirst)
  await page.evaluate(touchFirst)

  return {
    /** Only one may be `internal`; others are security keys or phones. */
    async add(transport: 'internal' | 'usb') {
      const isSynced = transport === 'internal'
      const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ctap2Version: 'ctap2_1',
          transport,
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          defaultBackupEligibility: isSynced,
          defaultBackupState: isSynced,
        },
      })
      ids.push(authenticatorId)
      return {
        /** Whether its person passes fingerprint, face or PIN. */
        async setVerifies(isUserVerified: boolean) {
          await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
        },
        passkeys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
        /** It is lost, with everything on it. */
        async lose() {
          ids.splice(ids.indexOf(authenticatorId), 1)
          await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
        },
      }
    },
  }
}

/** Runs in the page, before every prompt of the browser. */
const touchFirst = `if (!navigator.credentials.touched) {
  navigator.credentials.touched = true
  for (const name of ['create', 'get']) {
    const prompt = navigator.credentials[name].bind(navigator.credentials)
    navigator.credentials[name] = async (options) => {
      const allowed = options.publicKey.allowCredentials?.map(({ id }) => btoa(String.fromCharCode(...new Uint8Array(id))))
      await window.touchDevice(name === 'create' ? null : (allowed ?? []))
      return prompt(options)
    }
  }
}`
