import { z } from 'zod'

const svn = z.int().min(0).max(255)

/** Parts of AMD's TCB. `fmc` is Turin's. */
export const snpTcbSchema = z.strictObject({ bootloader: svn, tee: svn, snp: svn, microcode: svn, fmc: svn.optional() })
