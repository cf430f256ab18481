import { readFile } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { parseWebConfig } from './config/WebConfig.js'
import { badgeSlug, serveBadge } from './server/serveBadge.js'

/**
 * The pages fetch `/config.json` when they start, and `/trust-anchors.json` when a proof is verified. In development they are made from the VITE_* variables here; a
 * production build is the same for every deployment, and `server/main.ts` makes the file from the same variables.
 */
function configJson(env: Record<string, string>): Plugin {
  return {
    name: 'perigee-config-json',
    configureServer(server) {
      const config = parseWebConfig(env)
      const body = JSON.stringify(config)
      server.middlewares.use('/config.json', (_request, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(body)
      })
      server.middlewares.use((request, response, next) => {
        const slug = badgeSlug(new URL(request.url ?? '/', 'http://web').pathname)
        if (slug === null) return next()
        serveBadge(config.apiBaseUrl, slug, response).catch(next)
      })
      server.middlewares.use('/trust-anchors.json', (_request, response) => {
        readFile(env.VITE_TRUST_ANCHORS_FILE ?? '').then(
          (bytes) => response.setHeader('content-type', 'application/json').end(bytes),
          () => response.writeHead(404).end(),
        )
      })
    },
  }
}

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [react(), configJson(loadEnv(mode, import.meta.dirname, 'VITE_'))],
  server: { port: 5173, strictPort: true },
  build: { outDir: 'dist', target: 'es2022', sourcemap: true, modulePreload: { polyfill: false } },
}))
