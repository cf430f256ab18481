import type { Browser } from 'playwright-core'
import { createPublicClient, http, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { picture } from '../browser/site/visits.js'
import type { Asked } from './announcedWallet.js'
import type { Backend } from './Backend.js'
import { openTestDapp, type TestDapp } from './openTestDapp.js'
import { recoverSigner } from './recoverSigner.js'
import { refusals } from './refusals.js'

/** Every button of MetaMask's test dapp that is in scope works, and every other one shows why not. */
export function describeTestDapp(browser: () => Browser, backend: () => Backend, port: () => number): void {
  test.each([
    ['without a passkey', false],
    ['with a passkey', true],
  ])('MetaMask’s test dapp, unchanged, %s', async (title, passkey) => {
    const email = passkey ? 'dapp-passkey@example.test' : 'dapp@example.test'
    const dapp = await openTestDapp(browser(), backend(), { email, passkey, port: port() })
    try {
      await connect(dapp)
      await send(dapp, backend())
      await signMessages(dapp)
      await signTypedData(dapp)
      for (const { button, method, code, message, shown } of refusals) {
        const { error } = await dapp.press(button, method)
        expect({ button, error }).toEqual({ button, error: { code, message } })
        if (shown) await expect.poll(() => dapp.text(shown)).toContain(message)
      }
      await picture(dapp.page, `test-dapp-${title.replaceAll(' ', '-')}`, '#signTypedDataV4')
    } finally {
      await dapp.close()
    }
  })
}

async function connect({ page, press, text, address }: TestDapp): Promise<void> {
  // A person who was signed in before the page loaded is already connected; revoking that enables the button.
  const first = await page.waitForFunction(`wallet.asked.find(({ method }) => method === 'eth_accounts')`)
  const { result } = (await first.jsonValue()) as Asked
  if ((result as string[]).length > 0) await press('revokeAccountsPermission', 'wallet_revokePermissions')
  await press('connectButton', 'eth_requestAccounts')
  expect((await text('accounts')).toLowerCase()).toBe(address.toLowerCase())
  expect(await text('chainId')).toBe('0x7a69')
  expect(await text('network')).toBe('31337')
  await press('getAccounts', 'eth_accounts')
  expect((await text('getAccountsResult')).toLowerCase()).toBe(address.toLowerCase())
  await press('requestPermissions', 'wallet_requestPermissions')
  expect(await text('permissionsResult')).toBe('eth_accounts')
  await press('eip5792GetCapabilitiesButton', 'wallet_getCapabilities')
  expect(await text('eip5792GetCapabilitiesResult')).not.toContain('Error')
  expect(await page.locator('#activeProviderName').innerText()).toBe('Perigee')
}

async function send({ press, address }: TestDapp, { rpcUrl }: Backend): Promise<void> {
  const chain = createPublicClient({ transport: http(rpcUrl), pollingInterval: 100 })
  for (const button of ['sendEIP1559Button', 'sendEIP1559WithoutGasButton', 'sendButton']) {
    const { result } = await press(button, 'eth_sendTransaction')
    const receipt = await chain.waitForTransactionReceipt({ hash: result as Hex })
    expect([receipt.status, receipt.from.toLowerCase()], button).toEqual(['success', address.toLowerCase()])
  }
}

async function signMessages({ page, press, text, address }: TestDapp): Promise<void> {
  const wallet = address.toLowerCase()
  for (const [button, shown] of [
    ['personalSign', 'personalSignResult'],
    ['siwe', 'siweResult'],
    ['siweResources', 'siweResult'],
  ] as const) {
    const asked = await press(button, 'personal_sign')
    expect(asked.error, button).toBeUndefined()
    expect(await recoverSigner(asked)).toBe(wallet)
    await expect.poll(() => text(shown)).toBe(asked.result)
  }
  await press('personalSignVerify', 'personal_ecRecover')
  expect((await text('personalSignVerifyECRecoverResult')).toLowerCase()).toBe(wallet)
  // Its second check compares with the lower-case spelling that MetaMask gives accounts; ours is that of EIP-55.
  await page.evaluate(`wallet.tellAccounts(['${wallet}'])`)
  await press('personalSignVerify', 'personal_ecRecover')
  expect(await text('personalSignVerifySigUtilResult')).toBe(wallet)
  await page.evaluate(
    `wallet.tellAccounts([wallet.asked.find((one) => one.method === 'eth_requestAccounts').result[0]])`,
  )
}

async function signTypedData({ page, press, text, address }: TestDapp): Promise<void> {
  const wallet = address.toLowerCase()
  for (const [button, shown, verify] of [
    ['signTypedDataV4', 'signTypedDataV4Result', 'signTypedDataV4Verify'],
    ['signPermit', 'signPermitResult', 'signPermitVerify'],
    ['signPermitSingle', 'signPermitVariantResult', null],
    ['signPermitBatch', 'signPermitVariantResult', null],
    ['signBlurOrder', 'signPermitVariantResult', null],
  ] as const) {
    const asked = await press(button, 'eth_signTypedData_v4')
    expect(asked.error, button).toBeUndefined()
    expect(await recoverSigner(asked), button).toBe(wallet)
    await expect.poll(() => text(shown)).toBe(asked.result)
    if (!verify) continue
    await page.locator(`#${verify}`).click()
    expect(await text(`${verify}Result`)).toBe(wallet)
  }
}
