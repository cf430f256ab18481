import { readFile } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { Shell } from './components/Shell.js'
import { parseWebConfig } from './config/WebConfig.js'
import { badgeSlug, createServeBadge } from './server/createServeBadge.js'

/**
 * The pages fetch `/config.json` when they start, and `/trust-anchors.json` when a proof is verified. In development
 * both are made here, from the VITE_* variables. A production build is the same for every deployment: `server/main.ts`
 * serves these files from the same variables.
 */
function configJson(env: Record<string, string>): Plugin {
  return {
    name: 'perigee-config-json',
    configureServer(server) {
      const config = parseWebConfig(env)
      const body = JSON.stringify(config)
      const serveBadge = createServeBadge(config.apiBaseUrl)
      server.middlewares.use('/config.json', (_request, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(body)
      })
      server.middlewares.use((request, response, next) => {
        const slug = badgeSlug(new URL(request.url ?? '/', 'http://web').pathname)
        if (slug === null) return next()
        serveBadge(slug, response).catch(next)
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

/** Puts the frame of a loading page into `index.html`, so that the page is not blank while scripts load. */
function loadingFrame(): Plugin {
  const frame = renderToStaticMarkup(createElement(Shell, { busy: true }))
  return {
    name: 'perigee-loading-frame',
    transformIndexHtml: (html) => html.replace('<div id="root"></div>', `<div id="root">${frame}</div>`),
  }
}

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [react(), loadingFrame(), configJson(loadEnv(mode, import.meta.dirname, 'VITE_'))],
  server: { port: 5173, strictPort: true },
  build: { outDir: 'dist', target: 'es2022', sourcemap: true, modulePreload: { polyfill: false } },
}))
