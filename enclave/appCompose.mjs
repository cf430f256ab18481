// Prints the app-compose.json of a release; its SHA-256 is the compose hash that dstack measures into RTMR3.
//   node enclave/appCompose.mjs settings.json > app-compose.json
// settings.json: {
//   "image": "registry/perigee-enclave@sha256:…",
//   "chainIds": [11155111],
//   "satelliteKeys": { … },              as in SATELLITE_PUBLIC_KEYS
//   "keyProviderId": "3059…",            public key (DER, hex) of the key service's root CA
//   "releaseKey": "0x…",                 Ed25519 key that signs measurements.json
//   "minimumRelease": 1,                 the minimum version of the list that the enclave accepts
//   "clientCa": "-----BEGIN CERTIFICATE-----…",  issuer of the certificates of callers
//   "clientKeys": ["…"],                 optional: SHA-256 of the only public keys that may call
//   "entropyMinimum": "satellite-signature-verified",
//   "entropyAssertedSources": [],        optional: sources that the operator vouches for, such as "orbitport"
//   "entropyBeaconNames": {},            optional: trusted beacons, name -> source
//   "sealingVersions": [1]               the version that seals first, then those that still open
// }
// What decides about signatures and callers is in the file, and so it is measured. From outside come three values:
// - The server's certificate and key. The file is public, so a key cannot be in it. They let a holder pose as the enclave
//   on the channel, no more: callers believe quotes, not the channel, and a sealed key is sealed on it too.
// - measurements.json, which the release key must have signed, at or above the minimum version. The list names this
//   file's hash, so it cannot be inside it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const outside = {
  tls_cert: 'ENCLAVE_CERT_PEM',
  tls_key: 'ENCLAVE_KEY_PEM',
  measurements: 'ENCLAVE_MEASUREMENTS_JSON',
}

const certificates = /^(?:-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/=]+\n)+-----END CERTIFICATE-----\n)+$/

/** Throws for a setting without which a host could choose in its place. */
function check({ image, keyProviderId, releaseKey, minimumRelease, clientCa, clientKeys }) {
  const must = (holds, text) => {
    if (!holds) throw new Error(text)
  }
  must(/@sha256:[0-9a-f]{64}$/.test(image), 'image: name it by digest, image@sha256:…')
  must(/^(?:[0-9a-f]{2})+$/.test(keyProviderId), 'keyProviderId: the key service’s public key (DER, hex without 0x)')
  must(/^0x[0-9a-f]{64}$/.test(releaseKey), 'releaseKey: the Ed25519 key that signs measurements.json, 0x…')
  must(Number.isSafeInteger(minimumRelease) && minimumRelease >= 1, 'minimumRelease: a whole number from 1')
  must(certificates.test(clientCa), 'clientCa: the certificate of the callers’ issuer, PEM')
  must(
    clientKeys.every((key) => /^[0-9a-f]{64}$/.test(key)),
    'clientKeys: SHA-256 of public keys, hex',
  )
}

export function appCompose(settings) {
  const { entropyMinimum = 'satellite-signature-verified', clientKeys = [], sealingVersions = [1], ...rest } = settings
  const { image = '', chainIds = [], satelliteKeys = {}, keyProviderId = '', releaseKey = '' } = rest
  const { minimumRelease, entropyAssertedSources = [], entropyBeaconNames = {} } = rest
  const clientCa = `${(rest.clientCa ?? '').trim()}\n`
  check({ image, keyProviderId, releaseKey, minimumRelease, clientCa, clientKeys })
  const environment = {
    NODE_ENV: 'production',
    ENCLAVE_HOST: '0.0.0.0',
    ENCLAVE_PORT: '9443',
    ENCLAVE_TLS_CERT: '/run/secrets/tls_cert',
    ENCLAVE_TLS_KEY: '/run/secrets/tls_key',
    ENCLAVE_TLS_CLIENT_CA: clientCa,
    ENCLAVE_CLIENT_KEYS: clientKeys.join(','),
    MEASUREMENTS_FILE: '/run/secrets/measurements',
    MEASUREMENTS_PUBLIC_KEY: releaseKey,
    MEASUREMENTS_MINIMUM_VERSION: String(minimumRelease),
    ENCLAVE_CHAIN_IDS: chainIds.join(','),
    ENCLAVE_SEALING_VERSIONS: sealingVersions.join(','),
    ENTROPY_MINIMUM: entropyMinimum,
    ENTROPY_ASSERTED_SOURCES: entropyAssertedSources.join(','),
    ENTROPY_BEACON_NAMES: Object.entries(entropyBeaconNames)
      .map((pair) => pair.join(':'))
      .join(','),
    SATELLITE_PUBLIC_KEYS: JSON.stringify(satelliteKeys),
  }
  const compose = {
    services: {
      enclave: {
        image,
        restart: 'always',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        ports: ['9443:9443'],
        volumes: ['/var/run/dstack.sock:/var/run/dstack.sock'],
        secrets: Object.keys(outside),
        // `$` would have Compose put in a value from outside.
        environment: Object.fromEntries(
          Object.entries(environment).map(([name, value]) => [name, value.replaceAll('$', '$$$$')]),
        ),
      },
    },
    secrets: Object.fromEntries(Object.entries(outside).map(([name, variable]) => [name, { environment: variable }])),
  }
  return {
    manifest_version: 2,
    name: 'perigee-enclave',
    runner: 'docker-compose',
    docker_compose_file: JSON.stringify(compose, null, 2), // JSON is YAML
    kms_enabled: true,
    // The guest refuses any other key service. Without an id it takes the one that its host names.
    key_provider: 'kms',
    key_provider_id: keyProviderId,
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
  const bytes = appComposeBytes(appCompose(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))))
  process.stdout.write(bytes)
  console.error(`compose hash 0x${createHash('sha256').update(bytes).digest('hex')}`)
}
