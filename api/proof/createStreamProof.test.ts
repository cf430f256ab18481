import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { ServiceError, type ProofPayload } from '@perigee/core'
import { createStreamProof } from './createStreamProof.js'

test('a stream that is refused asks no worker', async () => {
  const queryProof = vi.fn(() => Promise.resolve(null))
  const findProof = () => Promise.resolve({ status: 'pending_pin' } as ProofPayload)
  const takePlace = () => Promise.reject(new ServiceError('share_exceeded', 'too many streams'))
  const stream = createStreamProof({ findProof, temporal: { queryProof } }, new AbortController().signal, takePlace)
  const request = { method: 'GET', params: { slug: 'A'.repeat(22) }, get: () => undefined } as unknown as Request
  const response = { setHeader: () => undefined } as unknown as Response
  await expect(stream(request, response, () => undefined)).rejects.toMatchObject({ code: 'share_exceeded' })
  expect(queryProof).not.toHaveBeenCalled()
})
