import { readFile } from 'node:fs/promises'
import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'

// What a framework with server components does (Next.js App Router): React comes as its server build, which has no
// state and no context, and modules that say 'use client' are replaced by references to what the browser will load.
const clientReferences: Plugin = {
  name: 'client-references',
  setup({ onLoad }) {
    onLoad({ filter: /sdk\/.*\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.startsWith("'use client'")) return undefined
      const names = [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(([, name]) => name)
      const reference = (name?: string) =>
        `export const ${name} = Object.assign(() => { throw new Error('on the client only') },
           { $$typeof: Symbol.for('react.client.reference'), $$id: ${JSON.stringify(`${path}#${name}`)} })`
      return { contents: names.map(reference).join('\n'), loader: 'js' }
    })
  },
}

/** A layout of a server component, as the README shows it, beside the client used on the server. */
const layout = `
  import { ServiceClient, ServiceProvider } from '@perigee/sdk'
  const config = { apiBaseUrl: 'https://api.example.com/', chainId: 11155111 }
  export const version = new ServiceClient(config).apiBaseUrl
  export default function Layout({ children }) {
    return <ServiceProvider config={config}>{children}</ServiceProvider>
  }`

async function evaluate(plugins: Plugin[]): Promise<{ version: string; default: (props: object) => unknown }> {
  const { outputFiles } = await build({
    stdin: { contents: layout, loader: 'jsx', resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    logLevel: 'silent',
    conditions: ['react-server'],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins,
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire('file:///')` },
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`)
}

test('a server component may import the package: hooks and provider stay references to the client', async () => {
  const module = await evaluate([clientReferences])
  expect(module.version).toBe('https://api.example.com')
  const element = module.default({ children: 'hello' }) as { type: { $$typeof: symbol; $$id: string }; props: object }
  expect(element.type.$$typeof).toBe(Symbol.for('react.client.reference'))
  expect(element.type.$$id).toMatch(/ServiceProvider\.tsx#ServiceProvider$/)
  expect(element.props).toMatchObject({ children: 'hello', config: { chainId: 11155111 } })
})

test('without the boundary the same import fails, so the test above shows something', async () => {
  await expect(evaluate([])).rejects.toThrow(/createContext/)
})
