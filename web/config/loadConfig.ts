import type { WebConfig } from './WebConfig.js'

/** Fetches the deployment's configuration, once, when the page starts. */
export async function loadConfig(): Promise<WebConfig> {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`)
  return (await response.json()) as WebConfig
}
