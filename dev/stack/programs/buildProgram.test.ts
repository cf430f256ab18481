import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { buildProgram } from './buildProgram.js'

test('any number may build the same program at once, and a changed source is another file', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'perigee-build-'))
  try {
    const source = join(dir, 'program.ts')
    const entry = pathToFileURL(source)
    const words = randomBytes(8).toString('hex')
    await writeFile(source, `const words: string = '${words}'\nconsole.log(words, import.meta.url)\n`)
    const built = await Promise.all(Array.from({ length: 8 }, () => buildProgram(entry)))
    expect(new Set(built).size).toBe(1)
    const said = execFileSync(process.execPath, [built[0] ?? ''], { encoding: 'utf8' })
    expect(said.trim()).toBe(`${words} ${entry.href}`)
    const builder = pathToFileURL(await buildProgram(new URL('./buildProgram.ts', import.meta.url)))
    const { buildProgram: builtIn } = (await import(builder.href)) as { buildProgram: typeof buildProgram }
    expect(await builtIn(entry)).toBe(built[0]) // the supervisor is built, and builds the other programs
    const { ino } = await stat(built[0] ?? '')
    await buildProgram(entry)
    expect((await stat(built[0] ?? '')).ino).toBe(ino) // a build would have written another file in its place
    await writeFile(`${source}.old`, `console.log('other')\n`)
    await utimes(`${source}.old`, 0, 0)
    await rename(`${source}.old`, source)
    const other = await buildProgram(entry)
    expect(other).not.toBe(built[0])
    await rm(other)
    expect(await buildProgram(entry)).toBe(other)
    await expect(access(other)).resolves.toBeUndefined() // built again when another process has removed it
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
