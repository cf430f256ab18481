import { randomUUID } from 'node:crypto'
import * as nodeFiles from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '@perigee/core'
import { parseCertificateTable } from './certificateTable.js'
import type { SnpPlatform } from './createCoordinatorAttestor.js'

const attempts = 5

interface TsmOptions {
  /** `/sys/kernel/config/tsm/report` on a Linux 6.7 or later guest. */
  dir: string
  /** VMPL to ask for; the kernel's own when left out. */
  privlevel?: number
  /** Node's own, except in tests that simulate the kernel. */
  files?: TsmFiles
}

export type TsmFiles = Pick<typeof nodeFiles, 'mkdir' | 'readFile' | 'rmdir' | 'writeFile'>

/**
 * Reports through configfs-tsm (Documentation/ABI/testing/configfs-tsm-report). Every call has its own directory.
 * `generation` counts writes: if it grew by more than our own, another program wrote too, and the report may be theirs.
 */
export function openTsmPlatform({ dir, privlevel, files = nodeFiles }: TsmOptions): SnpPlatform {
  const { mkdir, readFile, rmdir, writeFile } = files
  async function generationOf(entry: string): Promise<bigint> {
    const text = (await readFile(join(entry, 'generation'), 'utf8')).trim()
    if (!/^[0-9]+$/.test(text)) throw new ServiceError('parse_failed', 'configfs-tsm generation is not a number')
    return BigInt(text)
  }

  async function once(reportData: Uint8Array) {
    const entry = join(dir, `perigee-${randomUUID()}`)
    await mkdir(entry)
    try {
      const provider = (await readFile(join(entry, 'provider'), 'utf8')).trim()
      if (provider !== 'sev_guest') {
        throw new ServiceError('platform_not_allowed', 'the machine is not an SEV-SNP guest', { provider })
      }
      const before = await generationOf(entry)
      if (privlevel !== undefined) await writeFile(join(entry, 'privlevel'), String(privlevel))
      await writeFile(join(entry, 'inblob'), reportData)
      const written = before + (privlevel === undefined ? 1n : 2n)
      const report = await readFile(join(entry, 'outblob'))
      const auxiliary = await readFile(join(entry, 'auxblob')).catch(() => Buffer.alloc(0)) // optional in the ABI
      return { raced: (await generationOf(entry)) !== written, report, auxiliary }
    } finally {
      await rmdir(entry) // configfs removes the files with the directory
    }
  }

  return {
    async report(reportData) {
      if (reportData.length !== 64) throw new RangeError('REPORT_DATA is 64 bytes')
      for (let attempt = 0; attempt < attempts; attempt++) {
        const { raced, report, auxiliary } = await once(reportData)
        if (raced) continue
        const { vcek, vlek, ask } = parseCertificateTable(auxiliary)
        const vek = vcek ?? vlek
        return { report, ...(vek && { vek }), ...(ask && { intermediate: ask }) }
      }
      throw new ServiceError('service_unavailable', 'another program keeps writing to our report entry')
    },
  }
}
