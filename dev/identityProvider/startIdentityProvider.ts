import { once } from 'node:events'
import { createServer } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
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

export type RunningIdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** Starts the development identity provider on 127.0.0.1. It accepts any e-mail address: never expose it. */
export async function startIdentityProvider(options: IdentityProviderOptions) {
  const state = await loadState(options.folder)
  const app = express()
  const server = createServer(app).listen(options.port, '127.0.0.1')
  await once(server, 'listening') // or throws what kept it from listening
  server.on('error', ({ message }) => console.error(`not accepted: ${message}`))
  const { port } = server.address() as { port: number }
  const issuer = options.issuer ?? `http://localhost:${port}`
  const provider = createProvider(issuer, state, options.redirectUris)
  app.use('/interaction', express.urlencoded({ limit: 4096 }))
  app.all('/interaction/:uid', (req, res) => interaction(provider, req, res))
  app.use('/interaction', expired)
  app.use(provider.callback())
  return {
    issuer,
    client: state.client,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The interaction expired or belongs to another browser: the person has to start over. */
const expired: ErrorRequestHandler = (_error, _req, res, _next) => {
  if (!res.headersSent) res.status(400).type('text')
  res.end('This sign-in has expired. Go back to the app and sign in again.\n')
}
