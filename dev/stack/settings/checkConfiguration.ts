import { ConfigError } from '@perigee/core/config'
import { parseConfig as parseApi } from '../../../api/config.js'
import { parseConfig as parseEnclave } from '../../../enclave/config.js'
import { parseWebConfig } from '../../../web/config/WebConfig.js'
import { parseConfig as parseWorker } from '../../../workers/config.js'
import { parseConfig as parseIdentityProvider } from '../../identityProvider/config.js'
import { parseConfig as parseSatellite } from '../../satellite/config.js'

const programs = {
  'identity-provider': parseIdentityProvider,
  satellite: parseSatellite,
  enclave: parseEnclave,
  worker: parseWorker,
  api: parseApi,
  web: parseWebConfig,
}

/** Lets every program read its configuration before anything is started; throws all their problems at once. */
export function checkConfiguration(env: NodeJS.ProcessEnv, wrongPorts: readonly string[]): void {
  const problems = new Map<string, string[]>()
  for (const [name, parse] of Object.entries(programs)) {
    try {
      parse(env)
    } catch (error) {
      const found =
        error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
      for (const problem of found) problems.set(problem, [...(problems.get(problem) ?? []), name])
    }
  }
  if (problems.size === 0 && wrongPorts.length === 0) return
  const named = [...problems].map(([problem, names]) => `${problem} (${names.join(', ')})`)
  throw new ConfigError([...wrongPorts, ...named])
}
