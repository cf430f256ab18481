import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../temporal/server/startPostgres.sh', import.meta.url))
const bin = mkdtempSync(join(tmpdir(), 'perigee-start-postgres-'))
writeFileSync(join(bin, 'docker-entrypoint.sh'), '#!/bin/sh\necho started "$@"\n', { mode: 0o755 })
afterAll(() => rmSync(bin, { recursive: true }))

const strong = 'f'.repeat(16)

function start(env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync('/bin/sh', [script, 'postgres'], {
    env: { PATH: `${bin}:${process.env['PATH']}`, ...env } as NodeJS.ProcessEnv,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('passwords that are long enough: the image starts as it would by itself', () => {
  const env = { POSTGRES_PASSWORD: strong, TEMPORAL_DATABASE_PASSWORD: strong }
  expect(start(env)).toEqual({ status: 0, stdout: 'started postgres\n', stderr: '' })
})

test.each(['POSTGRES_PASSWORD', 'TEMPORAL_DATABASE_PASSWORD'])('a short %s: one line, and nothing starts', (name) => {
  const refused = start({ POSTGRES_PASSWORD: strong, TEMPORAL_DATABASE_PASSWORD: strong, [name]: 'hunter2' })
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toBe(`${name} has fewer than 16 characters; generate one with: openssl rand -hex 32\n`)
})
