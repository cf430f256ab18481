import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { sideBySide } from './sideBySide.js'

async function run(...steps: RequestHandler[]) {
  const next = vi.fn<() => void>()
  await sideBySide(...steps)({} as Request, {} as Response, next)
  return next
}
const slow =
  (seen: string[], name: string): RequestHandler =>
  async (_req, _res, next) => {
    seen.push(`${name} begins`)
    await sleep(10)
    seen.push(`${name} ends`)
    next()
  }

test('steps are under way at once, and the next begins when all have ended', async () => {
  const seen: string[] = []
  const next = await run(slow(seen, 'a'), slow(seen, 'b'), (_req, _res, done) => done())
  expect(seen.slice(0, 2)).toEqual(['a begins', 'b begins'])
  expect(seen).toHaveLength(4)
  expect(next).toHaveBeenCalledExactlyOnceWith()
})

test.each<[string, RequestHandler]>([
  ['throws', () => { throw new Error('first') }], // prettier-ignore
  ['rejects', () => sleep(20).then(() => Promise.reject(new Error('first')))],
  ['tells its next', (_req, _res, next) => next(new Error('first'))],
])('when one %s nothing goes on, and of several the first one speaks', async (_how, refusing) => {
  const second: RequestHandler = () => Promise.reject(new Error('second'))
  await expect(run(refusing, second)).rejects.toThrow('first')
  await expect(run((_req, _res, next) => next(), refusing)).rejects.toThrow('first')
})
