import type { NextConfig } from 'next'

// In this repository the SDK is TypeScript, which `npm start` compiles first. From npm it comes compiled: then neither is needed.
const config: NextConfig = {
  turbopack: { resolveAlias: { '@perigee/sdk': '../../sdk/dist/index.js' } },
  typescript: { ignoreBuildErrors: true }, // `npm run typecheck` covers it
}

export default config
