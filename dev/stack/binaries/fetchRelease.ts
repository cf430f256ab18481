import { createWriteStream } from 'node:fs'
import { chmod, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Release } from './releases.js'
import { run } from './run.js'
import { verifyDigest } from './verifyDigest.js'

const answerTimeoutMs = 15_000
const wholeTimeoutMs = 300_000

/** Downloads an official archive into `scratch`, checks its digest, and puts the one program in it at `target`. */
export async function fetchRelease(release: Release, scratch: string, target: string): Promise<void> {
  const archive = join(scratch, 'release.tar.gz')
  const abort = new AbortController()
  const noAnswer = setTimeout(() => abort.abort(new Error('no answer')), answerTimeoutMs)
  const tooSlow = setTimeout(() => abort.abort(new Error('too slow')), wholeTimeoutMs)
  try {
    const response = await fetch(release.url, { signal: abort.signal })
    clearTimeout(noAnswer)
    if (!response.ok || !response.body) throw new Error(`answered ${response.status}`)
    await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(archive))
  } catch (error) {
    throw new Error(`official release: ${reason(error)}`)
  } finally {
    clearTimeout(noAnswer)
    clearTimeout(tooSlow)
  }
  await verifyDigest(archive, release.algorithm, release.digest)
  await run('tar', ['-xzf', archive, '-C', scratch, release.member])
  const program = join(scratch, release.member)
  await chmod(program, 0o755)
  await rename(program, target)
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause as { code?: string } | undefined
  return cause?.code ?? error.message
}
