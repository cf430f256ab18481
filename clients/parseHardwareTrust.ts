import { readFileSync } from 'node:fs'
import { parseHardwareTrust as parse, type EnvReader, type HardwareTrust } from '@perigee/core/config'

export type { HardwareTrust }

/** The hardware roots and builds that the API and the workers trust. */
export function parseHardwareTrust(env: EnvReader): HardwareTrust {
  return parse(env, (path) => readFileSync(path))
}
