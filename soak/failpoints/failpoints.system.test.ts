import { afterAll, expect, test } from 'vitest'
import { createStackFolder, type StackFolder } from '../../dev/stack/createStackFolder.js'
import { silent } from '../../dev/stack/progress.js'
import { components } from '../../tests/harness/index.js'
import { parseArguments, type SoakOptions } from '../parseArguments.js'
import { failpoints, stepsOf } from '../../tests/rigs/failpoints.js'
import { runFailpoints } from './runFailpoints.js'

let opened: StackFolder | undefined
afterAll(() => opened?.remove())

// A few points, chosen anew each time; `npm run soak -- --failpoints` goes through all of them.
test('a worker that dies at a step of signing or publishing costs nothing but time', { timeout: 300_000 }, async () => {
  const { programs } = components()
  process.env['TEMPORAL_CLI_PATH'] ??= programs.temporal
  process.env['KUBO_PATH'] ??= programs.kubo
  opened = await createStackFolder('failpoints')
  const flags = ['--failpoints', '--runs', '1', '--points', '2', '--users', '1', '--apis', '1']
  const result = await runFailpoints(parseArguments(flags, Date.now()) as SoakOptions, opened.folder, silent)
  expect(result.problems, `seed ${result.options.seed}: ${result.names.join(', ')}`).toEqual([])
  expect(result.deaths.deaths).toBe(2)
})

test('there is a point before and after every step of every workflow', () => {
  for (const workflow of Object.keys(stepsOf) as (keyof typeof stepsOf)[]) {
    const own = failpoints.filter((failpoint) => failpoint.workflow === workflow).map(({ point }) => point)
    for (const step of stepsOf[workflow])
      expect(own).toEqual(expect.arrayContaining([`${step}:before`, `${step}:after`]))
  }
})
