import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { parseWebConfig } from './config/WebConfig.js'

/**
 * The pages fetch `/config.json` when they start. In development it is made from the VITE_* variables here; a
 * production build is the same for every deployment, and `server/main.ts` makes the file from the same variables.
 */
function configJson(env: Record<string, string>): Plugin {
  return {
    name: 'perigee-config-json',
    configureServer(server) {
      const body = JSON.stringify(parseWebConfig(env))
      server.middlewares.use('/config.json', (_request, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(body)
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
