import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium, launchChromium } from '../tests/harness/chromium.js'
import { buildPackage } from './build/buildPackage.js'
import { startInMemoryService, testClient, type InMemoryService } from './testing/index.js'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const peers = ['react', 'react-dom', 'viem', '@wagmi/core', '@types/react', '@types/node', 'csstype', 'undici-types']
let work: string
let tarball: string
let installed: string

// Built, packed and unpacked once, into a folder that knows nothing of this repository but the peers.
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'perigee-sdk-'))
  const dist = join(work, 'dist')
  await buildPackage(dist)
  const { stdout } = await run('npm', ['pack', dist, '--pack-destination', work, '--silent'], { cwd: work })
  tarball = join(work, stdout.trim().split('\n').at(-1) ?? '')
  installed = join(work, 'app', 'node_modules', '@perigee', 'sdk')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  for (const name of peers) {
    await mkdir(join(work, 'app/node_modules', name, '..'), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(work, 'app/node_modules', name))
  }
  await writeFile(join(work, 'app/package.json'), '{"type":"module"}')
}, 240_000)
afterAll(() => rm(work, { recursive: true, force: true }))

test('publint finds nothing to complain about', async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true })
  expect(messages).toEqual([])
})

test('arethetypeswrong finds nothing wrong for ESM', async () => {
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const { stdout } = await run(process.execPath, [attw, tarball, '--profile', 'esm-only', '--format', 'json'])
  // It exits with 0 under this profile; that CommonJS cannot require ES modules on old Node versions is known.
  const { problems = {} } = JSON.parse(stdout) as { problems?: object }
  expect(Object.keys(problems).filter((kind) => kind !== 'CJSResolvesToESM')).toEqual([])
}, 60_000)

test('the manifest says what a registry needs, and installing runs nothing', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>
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
  const files = await readdir(installed, { recursive: true })
  for (const file of files.filter((name) => /\.(?:js|ts|json)$/.test(name))) {
    expect(await readFile(join(installed, file), 'utf8'), file).not.toMatch(/@perigee\/(?!sdk)/)
  }
  expect(files.filter((name) => name.includes('test.'))).toEqual([])
  expect(files.map((file) => basename(file))).toEqual(expect.arrayContaining(['README.md', 'LICENSE']))
})

test('the provider and hooks are client modules, the client is not', async () => {
  const react = await readdir(join(installed, 'react'))
  for (const file of react.filter((name) => name.endsWith('.js'))) {
    expect(await readFile(join(installed, 'react', file), 'utf8'), file).toMatch(/^'use client'/)
  }
  for (const file of ['index.js', 'client/index.js', 'client/ServiceClient.js', 'testing/index.js']) {
    expect(await readFile(join(installed, file), 'utf8'), file).not.toContain('use client')
  }
})

test('every entry point exports exactly what it should, and importing it does nothing', async () => {
  const script = `
    const names = ['', '/client', '/proof', '/viem', '/eip1193', '/wagmi', '/testing']
    const out = {}
    for (const name of names) out[name || '.'] = Object.keys(await import('@perigee/sdk' + name)).sort()
    console.log(JSON.stringify(out))`
  const file = join(work, 'app/exports.mjs')
  await writeFile(file, script)
  const { stdout, stderr } = await run(process.execPath, [file])
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchInlineSnapshot(`
    {
      ".": [
        "ServiceClient",
        "ServiceError",
        "ServiceProvider",
        "useAttestation",
        "useService",
        "useServiceError",
        "useSign",
        "useWallet",
      ],
      "/client": [
        "ServiceClient",
        "ServiceError",
      ],
      "/eip1193": [
        "ProviderRpcError",
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
  await rm(join(work, 'app/node_modules/react'))
  const file = join(work, 'app/script.mjs')
  await writeFile(
    file,
    `import { startInMemoryService } from '@perigee/sdk/testing'
     import { ServiceClient } from '@perigee/sdk/client'
     const service = await startInMemoryService()
     const cookie = service.signIn('ada@example.test')
     const client = new ServiceClient({ apiBaseUrl: service.url + '/', chainId: service.chainId, rpcUrl: service.rpcUrl,
       fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, cookie } }) })
     const { address } = await client.api.provisionWallet()
     service.setBalance(address, 10n ** 18n)
     const { attestationSlug } = await client.signAndSend({ to: address, value: '0.1' })
     console.log((await client.waitForProof(attestationSlug)).status)
     await service.close()`,
  )
  const { stdout } = await run(process.execPath, [file])
  await symlink(join(root, 'node_modules/react'), join(work, 'app/node_modules/react'))
  expect(stdout.trim()).toBe('complete')
})

/** Writes the README's examples into the application, with the addresses of a service that runs. */
async function writeExamples(service?: InMemoryService): Promise<string[]> {
  const readme = await readFile(join(import.meta.dirname, 'README.md'), 'utf8')
  const names: string[] = []
  for (const [, name = '', code = ''] of readme.matchAll(/```tsx?\n\/\/ example: (\S+)\n([\s\S]*?)```/g)) {
    names.push(name)
    const running = service
      ? code.replaceAll('http://localhost:8080', service.url).replaceAll('http://localhost:8545', service.rpcUrl)
      : code
    await writeFile(join(work, 'app', name), running)
  }
  return names
}

test('the README’s examples for scripts run with the installed package in Node', async () => {
  const service = await startInMemoryService()
  await writeExamples(service)
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
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, cookie } }) })
    const paid = await pay(cookie)
    const viem = await walletClient(client, client.publicClient.chain)
    const hash = await viem.sendTransaction({ to: '0x00000000000000000000000000000000000000bb', value: 3n })
    console.log(JSON.stringify({ paid: paid.status, proved: await sendsAndProves(), connectors: config.connectors.length,
      sent: hash.length, page: renderToString(createElement(Layout, null, 'hello')) }))
    process.exit(0)`
  const outfile = join(work, 'app/examples.mjs')
  const stdin = { contents, resolveDir: join(work, 'app'), loader: 'tsx' as const }
  await build({ stdin, bundle: true, packages: 'external', format: 'esm', platform: 'node', jsx: 'automatic', outfile })
  const { stdout } = await run(process.execPath, [outfile])
  const answer: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(answer).toEqual({ paid: 'complete', proved: 'complete', connectors: 1, sent: 66, page: 'hello' })
  expect(service.balance('0x00000000000000000000000000000000000000bb')).toBe(3n)
  await service.close()
})

const executable = findChromium()
test.skipIf(!executable)(
  'the README’s examples for React run in a fresh Vite app in Chromium',
  async () => {
    const service = await startInMemoryService()
    await writeExamples(service)
    const app = join(work, 'app')
    await writeFile(join(app, 'index.html'), '<div id="root"></div><script type="module" src="/main.tsx"></script>')
    await writeFile(
      join(app, 'main.tsx'),
      `import { ServiceProvider } from '@perigee/sdk'
     import { createRoot } from 'react-dom/client'
     import { App } from './App'
     import { Balance } from './Balance'
     import { CallContract } from './CallContract'
     import { ProofStatus } from './ProofStatus'
     import { SignInButton } from './SignInButton'
     const config = { apiBaseUrl: '${service.url}', chainId: ${service.chainId}, rpcUrl: '${service.rpcUrl}', identityProvider: 'dev' }
     const to = '0x00000000000000000000000000000000000000bb'
     const slug = new URLSearchParams(location.search).get('slug')
     createRoot(document.getElementById('root')!).render(<>
       <App />
       <ServiceProvider config={config}><section>
         <SignInButton /><Balance /><ProofStatus slug={slug} /><CallContract token={to} to={to} />
       </section></ServiceProvider></>)`,
    )
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const env = { ...process.env, NODE_ENV: 'production' }
    await run(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: app, env })
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
      readFile(join(app, 'dist', path === '/' ? 'index.html' : path)).then(
        (bytes) => response.writeHead(200, { 'content-type': type }).end(bytes),
        () => response.writeHead(404).end(),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, resolve))
    const base = `http://localhost:${(server.address() as AddressInfo).port}/`
    const browser = await launchChromium(executable as string)
    try {
      const page = await browser.newPage()
      await page.goto(base)
      await page.getByRole('button', { name: 'Sign in' }).first().click()
      await page.getByRole('button', { name: 'Sign out ada@example.test' }).waitFor()
      const address = (await page.getByText(/^0x[0-9a-fA-F]{40}$/).textContent()) ?? ''
      service.setBalance(address, 10n ** 18n)
      await page.getByRole('button', { name: 'Send 0.01 ETH' }).click()
      await page.getByText('Proof: complete').waitFor()
      await page.getByRole('button', { name: 'Transfer' }).click()
      await page.getByRole('button', { name: 'Transfer sent' }).waitFor()
      const { attestationSlug } = await testClient(service).signAndSend({ to: address as `0x${string}` })
      await page.goto(`${base}?slug=${attestationSlug}`)
      await page.getByRole('link', { name: 'complete' }).waitFor()
      await page.getByText(/^0\.9\d+ ETH$/).waitFor()
    } finally {
      await browser.close()
      server.close()
      await service.close()
    }
  },
  90_000,
)

test('every example of the README compiles against the installed package', async () => {
  const names = await writeExamples()
  expect(names.length).toBeGreaterThanOrEqual(10)
  const options = '--noEmit --strict --skipLibCheck --target es2022 --module nodenext --jsx react-jsx --types node'
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const result = await run(process.execPath, [tsc, ...options.split(' '), ...names], { cwd: join(work, 'app') }).catch(
    (error: { stdout: string }) => error,
  )
  expect(result.stdout).toBe('')
}, 120_000)
