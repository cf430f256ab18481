import type { EnvReader } from '@perigee/core/config'

export type IpfsConfig = ReturnType<typeof parseIpfsConfig>

const publicGateway = 'IPFS_PUBLIC_GATEWAY_URL'

/**
 * `IPFS_API_URLS`, hosted services (`IPFS_PINNING_SERVICES`, each with variables of its own), and how many of them all
 * must hold a block (`IPFS_REQUIRED_PINS`, by default all of them).
 */
export function parseIpfsConfig(env: EnvReader) {
  const apiUrls = env.urls('IPFS_API_URLS')
  const services = env.list('IPFS_PINNING_SERVICES', '').flatMap((name) => {
    if (!/^[a-z][a-z0-9]*$/.test(name)) {
      env.problem('IPFS_PINNING_SERVICES must be a list of names in small letters and digits')
      return []
    }
    const variable = (what: string) => `IPFS_PINNING_${name.toUpperCase()}_${what}`
    const url = (what: string) => env.url(variable(what), ['http:', 'https:'])
    return [{ name, url: url('URL'), token: env.text(variable('TOKEN')), gatewayUrl: url('GATEWAY') }]
  })
  const most = Math.max(apiUrls.length + services.length, 1)
  return {
    apiUrls,
    services,
    /** Of nodes and services together. */
    required: env.integer('IPFS_REQUIRED_PINS', { min: 1, max: most }, most),
    /** A gateway on which every receipt must be seen before it counts as pinned; null: none. */
    publicGatewayUrl: env.has(publicGateway) ? env.url(publicGateway, ['http:', 'https:']) : null,
  }
}
