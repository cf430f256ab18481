import type { RequestHandler } from 'express'
import { ServiceError } from '@perigee/core'
import type { ApiSettings } from '../ApiDeps.js'
import { sessionOf } from './createRequireUser.js'

/** After `requireUser`: lets only operators through. They are named in configuration; no request can add one. */
export function createRequireOperator({ operators }: Pick<ApiSettings, 'operators'>): RequestHandler {
  return (_req, res, next) => {
    const { issuer, subject } = sessionOf(res).identity
    if (!operators.some((operator) => operator.issuer === issuer && operator.subject === subject)) {
      throw new ServiceError('operator_only', 'only operators may do this')
    }
    next()
  }
}
