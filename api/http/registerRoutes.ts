import type { Express, RequestHandler } from 'express'
import { methodNotAllowed } from './problem.js'
import { createReadJson } from './readJson.js'
import { contextOf } from './requestContext.js'
import type { Route } from './Route.js'

interface Guards {
  refuseForgery: RequestHandler
  requireUser: RequestHandler
}

/**
 * Registers every route. Unsafe methods get the forgery guard here, so that no route can omit it, and routes that need a session
 * the check for one, before the body is read: nobody without a session can make the API parse a large body.
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
      const isUnsafe = route.method !== 'get'
      const user = route.session ? [requireUser] : []
      const before = isUnsafe ? [refuseForgery, ...user, ...createReadJson(route.maxBody)] : user
      entry[route.method](...before, ...route.steps)
    }
    const allowed = here.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    entry.options((_req, res) => {
      res.setHeader('allow', [...allowed, 'OPTIONS'].join(', '))
      res.status(204).end()
    })
    entry.all(methodNotAllowed([...allowed, 'OPTIONS']))
  }
}
