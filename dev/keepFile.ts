import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes aside and renames, so that a reader, or a crash, finds either the whole file or the one before. */
export async function replaceFile(file: string, content: string | Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, content, mode === undefined ? {} : { mode })
  await rename(draft, file)
}

/** Reads a JSON file that only its owner may read, making it the first time. */
export async function keepJson<T>(file: string, create: () => T): Promise<T> {
  const known = await readFile(file, 'utf8').catch(() => undefined)
  if (known) return JSON.parse(known) as T
  const made = create()
  await replaceFile(file, JSON.stringify(made, null, 2), 0o600)
  return made
}
