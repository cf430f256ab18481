import { expect, test } from 'vitest'
import { ConfigError, EnvReader, parseAttestationMode, type Env } from './index.js'

function problemsOf(env: Env, read: (reader: EnvReader) => unknown): readonly string[] {
  const reader = new EnvReader(env)
  read(reader)
  try {
    reader.finish()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).problems
  }
  return []
}

test('names every missing and wrong variable at once', () => {
  const problems = problemsOf({ PORT: '70000', MODE: 'maybe', URL: 'ftp://x' }, (env) => {
    env.text('NAME')
    env.integer('PORT', { min: 1, max: 65_535 })
    env.oneOf('MODE', ['yes', 'no'])
    env.url('URL', ['https:'])
    env.decimal('WEI', '-1')
    env.flag('MODE')
  })
  expect(problems.map((text) => text.split(' ')[0])).toEqual(['NAME', 'PORT', 'MODE', 'URL', 'WEI', 'MODE'])
})

test('a missing number is named once', () => {
  expect(problemsOf({}, (env) => env.integer('PORT', { min: 1, max: 9 }))).toEqual(['PORT is missing'])
})

test('production refuses simulated attestation', () => {
  const env = { NODE_ENV: 'production', MOCK_ATTESTATION: 'true', SIMULATION_DIR: 'x' }
  expect(problemsOf(env, parseAttestationMode)).toHaveLength(1)
})

test('production accepts simulated attestation only when the deployment is declared a simulation', () => {
  const env = { NODE_ENV: 'production', MOCK_ATTESTATION: 'true', SIMULATION_DIR: 'x' }
  expect(problemsOf({ ...env, PERIGEE_SIMULATED_DEPLOYMENT: 'true' }, parseAttestationMode)).toEqual([])
  expect(problemsOf({ ...env, PERIGEE_SIMULATED_DEPLOYMENT: 'yes' }, parseAttestationMode)).not.toEqual([])
})

test('simulated attestation needs its folder, and hardware needs none', () => {
  expect(problemsOf({ MOCK_ATTESTATION: 'true' }, parseAttestationMode)).toEqual(['SIMULATION_DIR is missing'])
  expect(parseAttestationMode(new EnvReader({}))).toEqual({ simulated: false })
})
