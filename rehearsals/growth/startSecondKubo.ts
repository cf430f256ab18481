import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findKubo } from '../../dev/stack/binaries/index.js'
import { createKubo } from '../../dev/stack/components/kubo.js'
import { freePorts } from '../../dev/stack/settings/ports.js'
import { silent } from '../../dev/stack/progress.js'
import type { Rig } from '../rig/openRig.js'

/** Starts another IPFS node beside the stack's, with a repository of its own. Returns its RPC address. */
export async function startSecondKubo({ run, stack }: Rig): Promise<string> {
  const dir = join(run.dir, 'second-kubo')
  await mkdir(dir)
  const ports = await freePorts()
  const program = await findKubo(process.env, silent)
  await stack.add({ ...createKubo({ dir, ports, env: process.env }, program), name: 'second-kubo' })
  return `http://127.0.0.1:${ports.kuboApi}`
}
