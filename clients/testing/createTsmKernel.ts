import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { TsmFiles } from '../snp/openTsmPlatform.js'

export interface TsmKernelOptions {
  provider?: string
  report(reportData: Uint8Array): Uint8Array
  auxiliary?: Uint8Array
  /** Called after each write to `inblob`: a chance for another program to write as well. */
  afterWrite?(entry: string, write: (reportData: Uint8Array) => Promise<void>): Promise<void>
}

/**
 * Plays the kernel's side of configfs-tsm on an ordinary directory: making an entry fills it, writing `inblob` counts
 * up `generation` and makes a new report, removing an entry removes its files.
 */
export function createTsmKernel(options: TsmKernelOptions): TsmFiles & { entries: string[] } {
  const { provider = 'sev_guest', auxiliary = new Uint8Array(0), afterWrite } = options
  const entries: string[] = []
  const count = async (entry: string) => {
    const generation = Number(await readFile(join(entry, 'generation'), 'utf8'))
    await writeFile(join(entry, 'generation'), `${generation + 1}\n`)
  }
  const write = async (entry: string, reportData: Uint8Array) => {
    if (reportData.length === 0 || reportData.length > 64) throw Object.assign(new Error('EINVAL'), { code: 'EINVAL' })
    await count(entry)
    await writeFile(join(entry, 'outblob'), options.report(reportData))
    await writeFile(join(entry, 'auxblob'), auxiliary)
  }
  const files = {
    mkdir: async (path: string) => {
      entries.push(path)
      await mkdir(path)
      await writeFile(join(path, 'provider'), `${provider}\n`)
      await writeFile(join(path, 'generation'), '0\n')
    },
    readFile,
    writeFile: async (path: string, content: Uint8Array | string) => {
      const [entry, name] = [join(path, '..'), basename(path)]
      if (name === 'privlevel') {
        if (!/^[0-3]$/.test(String(content))) throw Object.assign(new Error('EINVAL'), { code: 'EINVAL' })
        return count(entry)
      }
      if (name !== 'inblob') throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
      await write(entry, content as Uint8Array)
      await afterWrite?.(entry, (other) => write(entry, other))
    },
    rmdir: (path: string) => rm(path, { recursive: true }),
  }
  return { ...(files as unknown as TsmFiles), entries }
}

/** A certificate table as a host writes it. */
export function certificateTable(certificates: Record<string, Uint8Array>): Uint8Array {
  const entries = Object.entries(certificates)
  const header = Buffer.alloc(24 * (entries.length + 1))
  let offset = header.length
  entries.forEach(([guid, { length }], i) => {
    Buffer.from(guid.replaceAll('-', ''), 'hex').copy(header, 24 * i)
    header.writeUInt32LE(offset, 24 * i + 16)
    header.writeUInt32LE(length, 24 * i + 20)
    offset += length
  })
  return Buffer.concat([header, ...entries.map(([, bytes]) => bytes)])
}

export const guid = {
  ark: 'c0b406a4-a803-4952-9743-3fb6014cd0ae',
  ask: '4ab7b379-bbac-4fe4-a02f-05aef327c782',
  vcek: '63da758d-e664-4564-adc5-f4b93be8accd',
  vlek: 'a8074bc2-a25a-483e-aae6-39c045a0b8a1',
}
