import { build, type BuildOptions } from 'esbuild'
import type { Browser } from 'playwright-core'
import { listen } from '../../rigs/servers/listen.js'

export type OpenModule = Awaited<ReturnType<typeof openModule>>

/** Bundles a module for browsers and loads it in one. esbuild refuses a bundle that asks for Node. */
export async function openModule(browser: Browser, contents: string, resolveDir: string) {
  const script = await bundleForBrowser({ stdin: { contents, resolveDir, loader: 'js' }, format: 'esm' })
  const server = await listen((request, response) => {
    const isScript = request.url === '/module.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html>')
  })
  const page = await browser.newPage()
  // Loopback is a secure context, which WebCrypto requires; passkeys need a host with a name.
  await page.goto(`http://localhost:${server.port}/`)
  return {
    page,
    /** Calls a function that the module exports. Bytes may stand anywhere in the arguments. */
    call: (name: string, ...args: unknown[]): Promise<unknown> =>
      page.evaluate(`(${callModule})(${JSON.stringify([name, pack(args)])})`),
    async close() {
      await page.close()
      await server.close()
    },
  }
}

/** One script with everything that it imports. */
export async function bundleForBrowser(input: Pick<BuildOptions, 'stdin' | 'entryPoints' | 'format'>): Promise<string> {
  const options = { bundle: true, write: false, platform: 'browser', target: 'es2022' } as const
  const { outputFiles } = await build({ ...input, ...options })
  return outputFiles[0]?.text ?? ''
}

/** Runs in the page. Text, because a test runner would rewrite the `import`. */
const callModule = `async ([name, args]) => {
  const unpack = (value) => {
    if (Array.isArray(value)) return value.map(unpack)
    if (typeof value !== 'object' || value === null) return value
    if (typeof value.$bytes === 'string') return Uint8Array.from(atob(value.$bytes), (char) => char.charCodeAt(0))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]))
  }
  const module = await import(location.origin + '/module.js')
  return module[name](...unpack(args))
}`

/** Only JSON travels to a page, so bytes go as base64. */
function pack(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(pack)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pack(item)]))
}
