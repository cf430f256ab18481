import type { Express, RequestHandler } from 'express'
import { methodNotAllowed } from './problem.js'
import { createReadJson } from './readJson.js'
import { contextOf } from './requestContext.js'
import type { Route } from './Route.js'

/** What must hold before the body of a request is read. */
interface Guards {
  refuseForgery: RequestHandler
  requireUser: RequestHandler
}

/**
 * Registers every route. Unsafe methods get the forgery guard here, so that no route can omit it. Where a session is needed,
 * it is checked first, so that nobody without one can make the API parse a large body.
 */
export function registerRoutes(app: Express, routes: readonly Route[], { refuseForgery, requireUser }: Guards): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const here = routes.filter((route) => route.path === path)
    const entry = app.route(path)
    entry.all((_req, res, next) => {
      contextOf(res).route = path
      next()
    })
    for (const route of here) {
      const before = route.session ? [refuseForgery, requireUser] : [refuseForgery]
      const guards = route.method === 'get' ? [] : [...before, ...createReadJson(route.maxBody)]
      entry[route.method](...guards, ...route.steps)
    }
    const allowed = here.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    entry.options((_req, res) => {
      res.setHeader('allow', [...allowed, 'OPTIONS'].join(', '))
      res.status(204).end()
    })
    entry.all(methodNotAllowed([...allowed, 'OPTIONS']))
  }
}
