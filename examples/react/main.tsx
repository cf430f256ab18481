import { createRoot } from 'react-dom/client'
import { ServiceProvider } from '@perigee/sdk'
import { App } from './App.js'

const { VITE_API_URL, VITE_RPC_URL } = import.meta.env as Record<string, string | undefined>
const config = {
  apiBaseUrl: VITE_API_URL ?? 'http://localhost:8080',
  rpcUrl: VITE_RPC_URL ?? 'http://localhost:8545',
  chainId: 31337,
  identityProvider: 'dev',
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <ServiceProvider config={config}>
    <App />
  </ServiceProvider>,
)
