import type { NextConfig } from 'next'

// In this repository the SDK is a workspace of TypeScript, which webpack compiles with the application. From npm it comes
// compiled: then none of this is needed, and neither is `--webpack`.
const config: NextConfig = {
  transpilePackages: ['@perigee/sdk'],
  serverExternalPackages: ['ethers', 'siwe'],
  webpack(settings: { resolve: { extensionAlias?: object } }) {
    settings.resolve.extensionAlias = { '.js': ['.ts', '.tsx', '.js'] }
    return settings
  },
  typescript: { ignoreBuildErrors: true }, // `npm run typecheck` covers it
}

export default config
