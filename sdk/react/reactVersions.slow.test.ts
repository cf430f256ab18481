// @vitest-environment happy-dom
import { join } from 'node:path'
import { parseEther } from 'viem'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { endFetches, muteFailedFetches } from './testing/muteFailedFetches.js'

// A page as an application would have it: rendered on the server, hydrated under StrictMode, then used.
const page = `
  import { StrictMode } from 'react'
  import * as React from 'react'
  import { renderToString } from 'react-dom/server.browser'
  import { hydrateRoot } from 'react-dom/client'
  import { ServiceProvider, useAttestation, useSign, useWallet } from '@perigee/sdk'

  function Page({ to }) {
    const { user, wallet, ready } = useWallet()
    const { signAndSend, lastResult } = useSign()
    const { proof } = useAttestation(lastResult?.attestationSlug)
    return <>
      <p id="state">{ready ? (user?.email ?? 'nobody') : 'loading'} {wallet?.address} {proof?.status}</p>
      <button onClick={() => signAndSend({ to, value: '0.1' })}>send</button>
    </>
  }
  export const version = React.version
  export function start(config, to, errors) {
    const tree = <StrictMode><ServiceProvider config={config}><Page to={to} /></ServiceProvider></StrictMode>
    const container = document.createElement('div')
    document.body.append(container)
    container.innerHTML = renderToString(tree)
    const root = hydrateRoot(container, tree, { onRecoverableError: (error) => errors.push(error) })
    return { container, stop: () => root.unmount() }
  }`

let service: InMemoryService
beforeEach(async () => {
  muteFailedFetches()
  service = await startInMemoryService()
})
afterEach(async () => {
  await endFetches()
  await service.close()
})

const root = join(import.meta.dirname, '../..')
const react18 = join(root, 'tests/react18/node_modules')

test.each([
  ['18', { react: join(react18, 'react'), 'react-dom': join(react18, 'react-dom') }],
  ['19', {}],
])('React %s: hydrates, signs in, sends and follows the proof', async (major, alias) => {
  const { outputFiles } = await build({
    stdin: { contents: page, loader: 'jsx', resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'page',
    platform: 'browser',
    jsx: 'automatic',
    alias,
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'error',
  })
  const module = new Function(`${outputFiles[0]?.text}; return page`)() as {
    version: string
    start: (config: object, to: string, errors: unknown[]) => { container: HTMLElement; stop: () => void }
  }
  expect(module.version.split('.')[0]).toBe(major)
  await fetch(`${service.url}/auth/dev?login_hint=ada@example.test`, { credentials: 'include' })
  const errors: unknown[] = []
  const to = '0x00000000000000000000000000000000000000aa'
  const config = { apiBaseUrl: service.url, chainId: service.chainId, rpcUrl: service.rpcUrl }
  const { container, stop } = module.start(config, to, errors)
  const state = () => container.querySelector('#state')?.textContent ?? ''
  expect(state()).toMatch(/^loading/)
  await until(() => /0x[0-9a-fA-F]{40}/.test(state()))
  service.setBalance(/0x[0-9a-fA-F]{40}/.exec(state())?.[0] ?? '', parseEther('1'))
  container.querySelector('button')?.click()
  await until(() => state().endsWith('complete'))
  expect(service.balance(to)).toBe(parseEther('0.1'))
  expect(errors).toEqual([])
  stop()
})

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not met: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
