import type { ImageConfig } from '../build/readImage.js'

/** What the part that builds hands to the part that runs, in a file. */
export interface Plan {
  dir: string
  images: Record<string, { rootfs: string; config: ImageConfig }>
}

/** Every server inside the deployment, with its port. */
export const serverPorts = {
  postgres: 5432,
  temporal: 7233,
  'temporal-ui': 8080,
  kubo: 5001,
  enclave: 9443,
} as const satisfies Record<string, number>

/** Public names of the deployment, as its https proxy serves them. */
export const hosts = {
  api: 'api.perigee.test',
  app: 'app.perigee.test',
  operators: 'operators.perigee.test',
  identity: 'identity.perigee.test',
  /** Plain http: services on the Internet that only workers call. */
  chain: 'chain.perigee.test',
  satellite: 'satellite.perigee.test',
}
