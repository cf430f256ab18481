import { fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** Appends to a file of JSON lines: each is on disk before the caller goes on. */
export function openLines<T>(file: string): (line: T) => void {
  const descriptor = openSync(file, 'a')
  return (line) => {
    writeSync(descriptor, `${JSON.stringify(line)}\n`)
    fsyncSync(descriptor)
  }
}

export function readLines<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as T)
}
