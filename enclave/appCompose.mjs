// Prints the app-compose.json of a release; its SHA-256 is the compose hash that dstack measures into RTMR3.
//   node enclave/appCompose.mjs <image@sha256:…> <chain ids, comma-separated> <satellite keys, JSON file> <release public key> \
//     > app-compose.json
// What decides about signatures (chains, limits, trusted entropy, the release key) is in the file, and so it is measured.
// From outside come the channel's certificates, which let an operator talk to the enclave, no more, and the list of
// published builds (measurements.json), which the release key must have signed. The list names this file's hash, so it
// cannot be inside it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function appCompose({
  image,
  chainIds,
  satelliteKeys,
  releaseKey,
  entropyMinimum = 'satellite-signature-verified',
  sealingVersions = [1],
}) {
  if (!/@sha256:[0-9a-f]{64}$/.test(image)) throw new Error('name the image by digest: image@sha256:…')
  if (!/^0x[0-9a-f]{64}$/.test(releaseKey)) throw new Error('name the Ed25519 key that signs measurements.json: 0x…')
  const outside = {
    tls_cert: 'ENCLAVE_CERT_PEM',
    tls_key: 'ENCLAVE_KEY_PEM',
    client_ca: 'ENCLAVE_CLIENT_CA_PEM',
    measurements: 'ENCLAVE_MEASUREMENTS_JSON',
  }
  const compose = {
    services: {
      enclave: {
        image,
        restart: 'always',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        ports: ['8443:8443'],
        volumes: ['/var/run/dstack.sock:/var/run/dstack.sock'],
        secrets: Object.keys(outside),
        environment: {
          NODE_ENV: 'production',
          ENCLAVE_HOST: '0.0.0.0',
          ENCLAVE_PORT: '8443',
          ENCLAVE_TLS_CERT: '/run/secrets/tls_cert',
          ENCLAVE_TLS_KEY: '/run/secrets/tls_key',
          ENCLAVE_TLS_CLIENT_CA: '/run/secrets/client_ca',
          MEASUREMENTS_FILE: '/run/secrets/measurements',
          MEASUREMENTS_PUBLIC_KEY: releaseKey,
          ENCLAVE_CHAIN_IDS: chainIds.join(','),
          ENCLAVE_SEALING_VERSIONS: sealingVersions.join(','),
          ENTROPY_MINIMUM: entropyMinimum,
          SATELLITE_PUBLIC_KEYS: JSON.stringify(satelliteKeys).replaceAll('$', '$$$$'),
        },
      },
    },
    secrets: Object.fromEntries(Object.entries(outside).map(([name, environment]) => [name, { environment }])),
  }
  return {
    manifest_version: 2,
    name: 'perigee-enclave',
    runner: 'docker-compose',
    docker_compose_file: JSON.stringify(compose, null, 2), // JSON is YAML
    kms_enabled: true,
    gateway_enabled: false,
    local_key_provider_enabled: false,
    public_logs: false,
    public_sysinfo: false,
    public_tcbinfo: true,
    no_instance_id: false,
    secure_time: true,
    allowed_envs: Object.values(outside),
  }
}

/** The bytes as dstack hashes them: members in order, no white space. */
export function appComposeBytes(app) {
  const sorted = Object.fromEntries(Object.entries(app).sort(([a], [b]) => (a < b ? -1 : 1)))
  return Buffer.from(JSON.stringify(sorted))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [image = '', chains = '', keysFile = '', releaseKey = ''] = process.argv.slice(2)
  const satelliteKeys = JSON.parse(readFileSync(keysFile, 'utf8'))
  const bytes = appComposeBytes(appCompose({ image, chainIds: chains.split(','), satelliteKeys, releaseKey }))
  process.stdout.write(bytes)
  console.error(`compose hash 0x${createHash('sha256').update(bytes).digest('hex')}`)
}
