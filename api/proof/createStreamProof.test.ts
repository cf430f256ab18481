import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Request, type Response } from 'express'
import { expect, test, vi } from 'vitest'
import { ServiceError, type ProofPayload } from '@perigee/core'
import { createStreamProof } from './createStreamProof.js'

const slug = 'A'.repeat(22)
const findProof = () => Promise.resolve({ status: 'pending_pin' } as ProofPayload)

test('a stream that is refused asks no worker', async () => {
  const queryProof = vi.fn(() => Promise.resolve(null))
  const takePlace = () => Promise.reject(new ServiceError('share_exceeded', 'too many streams'))
  const stream = createStreamProof({ findProof, temporal: { queryProof } }, new AbortController().signal, takePlace)
  const request = { method: 'GET', params: { slug }, get: () => undefined } as unknown as Request
  const response = { setHeader: () => undefined, once: () => undefined } as unknown as Response
  await expect(stream(request, response, () => undefined)).rejects.toMatchObject({ code: 'share_exceeded' })
  expect(queryProof).not.toHaveBeenCalled()
})

/** Runs a stream whose client leaves when it has got to `step`; returns how often each step was taken until it ended. */
async function leaveDuring(step: 'before' | 'findProof' | 'takePlace' | 'queryProof') {
  const taken = { before: 0, findProof: 0, takePlace: 0, leave: 0, queryProof: 0 }
  const app = express()
  const server = app.listen(0)
  const client = get({ port: (server.address() as AddressInfo).port, path: `/${slug}` })
  client.on('error', () => undefined) // it hangs up
  let response: Response | undefined
  const at = async (name: keyof typeof taken) => {
    taken[name] += 1
    if (name !== step) return
    client.destroy()
    await once(response as Response, 'close')
  }
  const queryProof = () => at('queryProof').then(() => null)
  const deps = { findProof: () => at('findProof').then(findProof), temporal: { queryProof } }
  const takePlace = () => at('takePlace').then(() => () => void at('leave'))
  const stream = createStreamProof(deps, new AbortController().signal, takePlace)
  try {
    await new Promise<void>((resolve, reject) => {
      app.get('/:slug', (req, res, next) => {
        response = res
        at('before')
          .then(() => stream(req, res, next))
          .then(() => resolve(), reject)
      })
    })
  } finally {
    server.close()
  }
  return taken
}

test.each([
  ['before', { before: 1, findProof: 1, takePlace: 0, leave: 0, queryProof: 0 }],
  ['findProof', { before: 1, findProof: 1, takePlace: 0, leave: 0, queryProof: 0 }],
  ['takePlace', { before: 1, findProof: 1, takePlace: 1, leave: 1, queryProof: 0 }],
  ['queryProof', { before: 1, findProof: 2, takePlace: 1, leave: 1, queryProof: 1 }],
] as const)('a stream whose client leaves during %s ends there, and holds no place', async (step, taken) => {
  expect(await leaveDuring(step)).toEqual(taken)
})

test('a burst gets no more streams than there may be, and one that is refused a place leaves its own to others', async () => {
  const settings = { pollMs: 1_000, heartbeatMs: 1_000, maxMs: 10_000, maxStreams: 1 }
  const deps = { findProof, temporal: { queryProof: () => Promise.resolve(null) } }
  const takePlace = vi.fn(() => Promise.reject(new ServiceError('share_exceeded', 'too many streams')))
  const stream = createStreamProof(deps, new AbortController().signal, takePlace, settings)
  const request = { method: 'GET', params: { slug }, get: () => undefined } as unknown as Request
  const response = { setHeader: () => undefined, once: () => undefined } as unknown as Response
  const codes = async (count: number) => {
    const open = async () => stream(request, response, () => undefined)
    const ends = await Promise.allSettled(Array.from({ length: count }, open))
    return ends.map((end) => (end as { reason?: ServiceError }).reason?.code)
  }
  expect(await codes(3)).toEqual(['share_exceeded', 'service_unavailable', 'service_unavailable'])
  expect(await codes(1)).toEqual(['share_exceeded'])
})
