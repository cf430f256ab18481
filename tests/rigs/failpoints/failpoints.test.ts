import { expect, test } from 'vitest'
import { failpoints, stepsOf } from './failpoints.js'

test('there is a point before and after every step of every workflow', () => {
  for (const workflow of Object.keys(stepsOf) as (keyof typeof stepsOf)[]) {
    const own = failpoints.filter((failpoint) => failpoint.workflow === workflow).map(({ point }) => point)
    for (const step of stepsOf[workflow])
      expect(own).toEqual(expect.arrayContaining([`${step}:before`, `${step}:after`]))
  }
})
