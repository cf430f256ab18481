import { execFile } from 'node:child_process'
import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium, launchChromium } from '../tests/harness/browser/findChromium.js'
import { compile, installPackage, writeExamples } from './build/testing/installPackage.js'
import { serveFolder } from './build/testing/serveFolder.js'
import { startInMemoryService, testClient } from './testing/index.js'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const entryPoints = ['', '/client', '/proof', '/viem', '/eip1193', '/wagmi', '/testing']
let sdk: Awaited<ReturnType<typeof installPackage>>
beforeAll(async () => {
  sdk = await installPackage()
})
afterAll(() => sdk?.remove())

test('publint finds nothing to complain about', async () => {
  const { messages } = await publint({ pkgDir: sdk.installed, strict: true })
  expect(messages).toEqual([])
})

test('arethetypeswrong finds nothing wrong for ESM', async () => {
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const { stdout } = await run(process.execPath, [attw, sdk.tarball, '--profile', 'esm-only', '--format', 'json'])
  // It exits with 0 under this profile; that CommonJS cannot require ES modules on old Node versions is known.
  const { problems = {} } = JSON.parse(stdout) as { problems?: object }
  expect(Object.keys(problems).filter((kind) => kind !== 'CJSResolvesToESM')).toEqual([])
})

test('the manifest says what a registry needs, and installing runs nothing', async () => {
  const manifest = JSON.parse(await readFile(join(sdk.installed, 'package.json'), 'utf8')) as Record<string, unknown>
  expect(manifest).toMatchObject({
    name: '@perigee/sdk',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    license: 'AGPL-3.0-only',
    type: 'module',
    sideEffects: false,
    publishConfig: { access: 'public' },
    peerDependencies: { react: expect.any(String), viem: expect.any(String) },
  })
  for (const key of ['private', 'scripts', 'dependencies']) expect(manifest).not.toHaveProperty(key)
})

test('the package stands alone: no module or type of it names another workspace', async () => {
  const files = await readdir(sdk.installed, { recursive: true })
  for (const file of files.filter((name) => /\.(?:js|ts|json)$/.test(name))) {
    expect(await readFile(join(sdk.installed, file), 'utf8'), file).not.toMatch(/@perigee\/(?!sdk)/)
  }
  expect(files.filter((name) => name.includes('test.'))).toEqual([])
  expect(files.map((file) => basename(file))).toEqual(expect.arrayContaining(['README.md', 'LICENSE']))
})

test('the provider and hooks are client modules, the client is not', async () => {
  const react = await readdir(join(sdk.installed, 'react'))
  for (const file of react.filter((name) => name.endsWith('.js'))) {
    expect(await readFile(join(sdk.installed, 'react', file), 'utf8'), file).toMatch(/^'use client'/)
  }
  for (const file of ['index.js', 'client/index.js', 'client/ServiceClient.js', 'testing/index.js']) {
    expect(await readFile(join(sdk.installed, file), 'utf8'), file).not.toContain('use client')
  }
})

test('every entry point exports exactly what it should, and importing it does nothing', async () => {
  const script = `
    const names = ${JSON.stringify(entryPoints)}
    const out = {}
    for (const name of names) out[name || '.'] = Object.keys(await import('@perigee/sdk' + name)).sort()
    console.log(JSON.stringify(out))`
  await writeFile(join(sdk.app, 'exports.mjs'), script)
  const { stdout, stderr } = await run(process.execPath, [join(sdk.app, 'exports.mjs')])
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchInlineSnapshot(`
    {
      ".": [
        "ServiceClient",
        "ServiceError",
        "ServiceProvider",
        "useAttestation",
        "useConfirmation",
        "useService",
        "useServiceError",
        "useSign",
        "useSignMessage",
        "useSignTypedData",
        "useWallet",
      ],
      "/client": [
        "ServiceClient",
        "ServiceError",
      ],
      "/eip1193": [
        "ProviderRpcError",
        "announceProvider",
        "createEip1193Provider",
      ],
      "/proof": [
        "ServiceError",
        "createProofReader",
      ],
      "/testing": [
        "fundedClient",
        "startInMemoryService",
        "testClient",
      ],
      "/viem": [
        "toServiceAccount",
      ],
      "/wagmi": [
        "serviceConnector",
      ],
    }
  `)
})

test('a fresh Node script runs with the installed package, without React', async () => {
  await rm(join(sdk.app, 'node_modules/react'))
  const file = join(sdk.app, 'script.mjs')
  await writeFile(
    file,
    `import { startInMemoryService } from '@perigee/sdk/testing'
     import { ServiceClient } from '@perigee/sdk/client'
     const service = await startInMemoryService()
     const cookie = service.signIn('ada@example.test')
     const client = new ServiceClient({ apiBaseUrl: service.url + '/', chainId: service.chainId, rpcUrl: service.rpcUrl,
       fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, cookie, origin: 'http://localhost:5173' } }) })
     const { address } = await client.api.provisionWallet()
     service.setBalance(address, 10n ** 18n)
     const { attestationSlug } = await client.signAndSend({ to: address, value: '0.1' })
     console.log((await client.waitForProof(attestationSlug)).status)
     await service.close()`,
  )
  const { stdout } = await run(process.execPath, [file])
  await symlink(join(root, 'node_modules/react'), join(sdk.app, 'node_modules/react'))
  expect(stdout.trim()).toBe('complete')
})

test('the README’s examples for scripts run with the installed package in Node', async () => {
  const service = await startInMemoryService()
  await writeExamples(sdk.app, service)
  const cookie = service.signIn('ada@example.test')
  const { address } = await testClient(service).api.provisionWallet()
  service.setBalance(address, 10n ** 18n)
  const contents = `
    import { pay } from './script.ts'
    import { sendsAndProves } from './testing.ts'
    import { config } from './wagmi.ts'
    import { walletClient } from './viem.ts'
    import { ServiceClient } from '@perigee/sdk/client'
    import { createElement } from 'react'
    import { renderToString } from 'react-dom/server'
    import Layout from './layout.tsx'
    const cookie = ${JSON.stringify(cookie)}
    const client = new ServiceClient({ apiBaseUrl: '${service.url}', chainId: ${service.chainId}, rpcUrl: '${service.rpcUrl}',
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, cookie, origin: 'http://localhost:5173' } }) })
    const paid = await pay(cookie)
    const viem = await walletClient(client, client.publicClient.chain)
    const hash = await viem.sendTransaction({ to: '0x00000000000000000000000000000000000000bb', value: 3n })
    console.log(JSON.stringify({ paid: paid.status, proved: await sendsAndProves(), connectors: config.connectors.length,
      sent: hash.length, page: renderToString(createElement(Layout, null, 'hello')) }))
    process.exit(0)`
  const outfile = join(sdk.app, 'examples.mjs')
  const stdin = { contents, resolveDir: sdk.app, loader: 'tsx' as const }
  await build({ stdin, bundle: true, packages: 'external', format: 'esm', platform: 'node', jsx: 'automatic', outfile })
  const { stdout } = await run(process.execPath, [outfile])
  const answer: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(answer).toEqual({ paid: 'complete', proved: 'complete', connectors: 1, sent: 66, page: 'hello' })
  expect(service.balance('0x00000000000000000000000000000000000000bb')).toBe(3n)
  await service.close()
})

const executable = findChromium()
test.skipIf(!executable)('the README’s examples for React run in a fresh Vite app in Chromium', async () => {
  const service = await startInMemoryService()
  await writeExamples(sdk.app, service)
  const app = sdk.app
  await writeFile(join(app, 'index.html'), '<div id="root"></div><script type="module" src="/main.tsx"></script>')
  await writeFile(
    join(app, 'main.tsx'),
    `import { ServiceProvider } from '@perigee/sdk'
     import { createRoot } from 'react-dom/client'
     import { App } from './App'
     import { Balance } from './Balance'
     import { CallContract } from './CallContract'
     import { ConfirmSigning } from './ConfirmSigning'
     import { ProofStatus } from './ProofStatus'
     import { SignInButton } from './SignInButton'
     import { SignInWithEthereum } from './SignInWithEthereum'
     const config = { apiBaseUrl: '${service.url}', chainId: ${service.chainId}, rpcUrl: '${service.rpcUrl}', identityProvider: 'dev' }
     const to = '0x00000000000000000000000000000000000000bb'
     const slug = new URLSearchParams(location.search).get('slug')
     createRoot(document.getElementById('root')!).render(<>
       <App />
       <ServiceProvider config={config}><section>
         <SignInButton /><Balance /><ProofStatus slug={slug} /><CallContract token={to} to={to} />
         <ConfirmSigning /><SignInWithEthereum nonce="abcdefgh" verify={(_, signature) => (document.title = signature)} />
       </section></ServiceProvider></>)`,
  )
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  await run(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: app, env })
  const site = await serveFolder(join(app, 'dist'))
  const browser = await launchChromium(executable as string)
  try {
    const page = await browser.newPage()
    await page.goto(site.url)
    await page.getByRole('button', { name: 'Sign in' }).first().click()
    await page.getByRole('button', { name: 'Sign out ada@example.test' }).waitFor()
    const address = (await page.getByText(/^0x[0-9a-fA-F]{40}$/).textContent()) ?? ''
    service.setBalance(address, 10n ** 18n)
    await page.getByRole('button', { name: 'Send 0.01 ETH' }).click()
    await page.getByText('Proof: complete').waitFor()
    await page.getByRole('button', { name: 'Transfer' }).click()
    await page.getByRole('button', { name: 'Transfer sent' }).waitFor()
    await page.getByRole('button', { name: 'Sign in with Ethereum' }).click()
    await page.getByText(`${new URL(site.url).host} wants you to sign in`).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0) // nothing to warn about
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.waitForFunction(() => /^0x[0-9a-f]{130}$/.test(document.title))
    const { attestationSlug } = await testClient(service).signAndSend({ to: address as `0x${string}` })
    await page.goto(`${site.url}?slug=${attestationSlug}`)
    await page.getByRole('link', { name: 'complete' }).waitFor()
    await page.getByText(/^0\.9\d+ ETH$/).waitFor()
  } finally {
    await browser.close()
    await site.close()
    await service.close()
  }
})

test('the README’s examples compile, and so do the types of every entry point, where those of libraries are checked too', async () => {
  const names = await writeExamples(sdk.app)
  expect(names.length).toBeGreaterThanOrEqual(10)
  const lines = entryPoints.map((name, i) => `export * as entry${i} from '@perigee/sdk${name}'`)
  await writeFile(join(sdk.app, 'entries.ts'), lines.join('\n'))
  expect(compile(sdk.app, [...names, 'entries.ts'])).toEqual([])
})
