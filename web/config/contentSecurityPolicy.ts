import type { WebConfig } from './WebConfig.js'

/** Scripts and styles of our own only; requests to the service, the chain and the gateway, and nowhere else. */
export function contentSecurityPolicy(config: WebConfig): string {
  const others = [config.apiBaseUrl, config.rpcUrl, config.ipfsGatewayUrl].filter((url) => url !== null)
  const origins = [...new Set(others.map((url) => new URL(url).origin))]
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `connect-src 'self' ${origins.join(' ')}`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `object-src 'none'`,
  ].join('; ')
}
