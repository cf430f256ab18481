import { expect, test } from 'vitest'
import { ConfigError } from '@perigee/core/config'
import { parseConfig } from './config.js'

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('failpoints are refused in production, and nowhere else', () => {
  const named = (env: Record<string, string>) =>
    problemsOf(env).filter((problem) => problem.startsWith('FAILPOINT_FILE'))
  expect(named({ NODE_ENV: 'production', FAILPOINT_FILE: '/tmp/failpoint' })).toHaveLength(1)
  expect(named({ NODE_ENV: 'production' })).toEqual([])
  expect(named({ NODE_ENV: 'development', FAILPOINT_FILE: '/tmp/failpoint' })).toEqual([])
})
