import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.js'
import type { WebConfig } from './config/WebConfig.js'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App config={loadConfig()} />
  </StrictMode>,
)

/** The deployment's configuration, fetched once. */
async function loadConfig(): Promise<WebConfig> {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`)
  return (await response.json()) as WebConfig
}
