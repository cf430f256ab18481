import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex, type Hex } from '@perigee/core'
import { releaseFile, signRelease, verifyRelease, type MeasurementRelease } from '@perigee/core/measurements'
import { simulationDir } from '../../dev/stack/settings/makeIdentities.js'
import type { Rig } from '../rig/openRig.js'
import { secretsOf } from '../rig/publishers.js'
import { nextRtmr2 } from './nextRtmr2.js'

type Builds = MeasurementRelease['enclaves']

/** The list with the next build beside the current one, and without the current one. */
export const withNext = (builds: Builds): Builds =>
  builds.flatMap((build) => [build, { ...build, name: 'the next enclave', rtmr2: nextRtmr2 }])
export const withoutFormer = (builds: Builds): Builds => builds.filter(({ rtmr2 }) => rtmr2 === nextRtmr2)

/** Signs the next list of builds with the release key and announces it by `npm run ops -- release announce`. */
export async function announce(rig: Rig, change: (builds: Builds) => Builds): Promise<void> {
  const dir = join(simulationDir(rig.run.dir), 'release')
  const text = (name: string) => readFileSync(join(dir, name), 'utf8').trim()
  const installed = join(dir, 'measurements.json')
  const publicKey = text('public-key') as Hex
  const { version, enclaves, ...rest } = verifyRelease(readFileSync(installed), publicKey)
  const next = { ...rest, version: version + 1, issuedAt: new Date().toISOString(), enclaves: change(enclaves) }
  const file = join(rig.folder, `measurements-${next.version}.json`)
  writeFileSync(file, releaseFile(signRelease(next, fromHex(text('private-key'), 32))))
  const variables = {
    MEASUREMENTS_FILE: installed,
    MEASUREMENTS_PUBLIC_KEY: publicKey,
    RELEASES_OWNER_KEY: secretsOf(rig).contractOwnerKey,
  }
  const why = ['--install', '--operator', 'ops-1', '--reason', 'rehearsal']
  const { code, output } = await rig.ops(['release', 'announce', file, ...why], variables)
  if (code !== 0) throw new Error(`release announce ended with ${code}: ${output}`)
}
