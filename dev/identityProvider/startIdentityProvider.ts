import { createServer } from 'node:http'
import { createProvider } from './createProvider.js'
import { interaction } from './interaction.js'
import { loadState } from './loadState.js'

export interface IdentityProviderOptions {
  /** 0 takes a free port. */
  port: number
  /** Data folder: keys and the client's secret are kept here. */
  folder: string
  redirectUris: string[]
  issuer?: string | undefined
}

export interface RunningIdentityProvider {
  issuer: string
  client: { id: string; secret: string }
  close(): Promise<void>
}

/** Starts the development identity provider on 127.0.0.1. It accepts any e-mail address: never expose it. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<RunningIdentityProvider> {
  const state = await loadState(options.folder)
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as { port: number }
  const issuer = options.issuer ?? `http://localhost:${port}`
  const provider = createProvider(issuer, state, options.redirectUris)
  const protocol = provider.callback()
  server.on('request', (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return void protocol(req, res)
    interaction(provider, req, res).catch(() => {
      // The interaction expired or belongs to another browser: the person has to start over.
      if (!res.headersSent) res.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
      res.end('This sign-in has expired. Go back to the app and sign in again.\n')
    })
  })
  return {
    issuer,
    client: state.client,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
