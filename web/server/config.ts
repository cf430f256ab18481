import { parseWebConfig, type Env, type WebConfig } from '../config/WebConfig.js'

export interface WebServerConfig {
  port: number
  /** The static build. */
  root: string
  /** Served as `/trust-anchors.json`, so that visitors can verify; null offers none. */
  trustAnchorsFile: string | null
  /** Where this server itself reaches the service, for badges. */
  apiUrl: string
  web: WebConfig
}

/** Reads the server's configuration. Throws one Error naming every variable that is wrong. */
export function parseConfig(env: Env): WebServerConfig {
  const port = Number(env.WEB_PORT ?? '5173')
  const portWrong = !Number.isInteger(port) || port < 0 || port > 65535
  let web: WebConfig | undefined
  const wrong: string[] = portWrong ? ['WEB_PORT must be a port'] : []
  try {
    web = parseWebConfig(env)
  } catch (error) {
    wrong.push((error as Error).message)
  }
  const apiUrl = env.WEB_API_URL || web?.apiBaseUrl || ''
  if (env.WEB_API_URL && !(/^https?:/.test(apiUrl) && URL.canParse(apiUrl))) {
    wrong.push('WEB_API_URL must be an http or https address')
  }
  if (!web || wrong.length > 0) throw new Error(wrong.join('; '))
  const root = env.WEB_ROOT || 'web/dist'
  const trustAnchorsFile = env.VITE_TRUST_ANCHORS_FILE || null
  return { port, root, trustAnchorsFile, apiUrl: apiUrl.replace(/\/+$/, ''), web }
}
