import type { RequestHandler } from 'express'

/** Steps that do not need each other, under way at once. When several refuse, the first of them speaks. */
export function sideBySide(...steps: RequestHandler[]): RequestHandler {
  return async (req, res, next) => {
    const run = (step: RequestHandler) =>
      new Promise<void>((resolve, reject) => {
        const done = (error?: unknown) => (error ? reject(error) : resolve())
        Promise.resolve(step(req, res, done)).catch(reject)
      })
    for (const end of await Promise.allSettled(steps.map(run))) if (end.status === 'rejected') throw end.reason
    next()
  }
}
