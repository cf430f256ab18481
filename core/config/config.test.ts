import { expect, test } from 'vitest'
import { ConfigError, EnvReader, parseAttestationMode, refuseWeakSecrets, type Env } from './index.js'

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

const drawn = '4f1c9a07be62d358'
const strong = {
  NODE_ENV: 'production',
  SESSION_SECRETS: `1:${drawn}${drawn}`,
  TEMPORAL_CODEC_KEYS: `a:${drawn.repeat(4)}`,
  PUBLISHER_PRIVATE_KEYS: `0x${drawn.repeat(4)}`,
  DATABASE_URL: `postgresql://perigee:${drawn}@postgres:5432/perigee`,
}

test.each([
  ['SESSION_SECRETS', `2:${drawn}${drawn},1:${'s'.repeat(32)}`],
  ['TEMPORAL_CODEC_KEYS', `a:${'00'.repeat(32)}`],
  ['PUBLISHER_PRIVATE_KEYS', `0x${'22'.repeat(32)}`],
  ['DATABASE_URL', 'postgresql://perigee:perigee@postgres:5432/perigee'],
  ['DATABASE_URL', `postgresql://perigee:${'ab'.repeat(16)}@postgres:5432/perigee`],
])('production refuses a weak %s in one line that does not show it', (name, weak) => {
  expect(problemsOf(strong, refuseWeakSecrets)).toEqual([])
  expect(problemsOf({ ...strong, DATABASE_URL: 'postgresql://postgres:5432/perigee' }, refuseWeakSecrets)).toEqual([])
  const problems = problemsOf({ ...strong, [name]: weak }, refuseWeakSecrets)
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} holds a weak`))])
  expect(problems.join()).not.toContain(weak)
  expect(problemsOf({ ...strong, [name]: weak, NODE_ENV: 'development' }, refuseWeakSecrets)).toEqual([])
})
