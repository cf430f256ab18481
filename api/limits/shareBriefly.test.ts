import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shareBriefly } from './shareBriefly.js'

test('one question asked many times at once is answered once, another one separately', async () => {
  const asked: string[] = []
  const share = shareBriefly(async (key) => {
    asked.push(key)
    await sleep(5)
    return `${key}!`
  }, 10_000)
  expect(await Promise.all(['a', 'a', 'b', 'a'].map(share))).toEqual(['a!', 'a!', 'b!', 'a!'])
  expect(await share('a')).toBe('a!')
  expect(asked).toEqual(['a', 'b'])
})

test('an answer is asked for again when its time is over', async () => {
  let count = 0
  const share = shareBriefly(() => Promise.resolve(++count), 20)
  expect(await share('a')).toBe(1)
  await sleep(40)
  expect(await share('a')).toBe(2)
})

test('a failure goes to those who waited for it, and is not kept', async () => {
  let fails = true
  const share = shareBriefly(() => (fails ? Promise.reject(new Error('away')) : Promise.resolve('here')), 10_000)
  await Promise.all([share('a'), share('a')].map((one) => expect(one).rejects.toThrow('away')))
  fails = false
  expect(await share('a')).toBe('here')
})
