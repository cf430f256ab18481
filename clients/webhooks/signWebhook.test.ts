import { expect, test } from 'vitest'
import { parseSecret, signWebhook } from './signWebhook.js'

/** The vector that Standard Webhooks publishes with its reference libraries. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' }
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

test('signs the published vector of Standard Webhooks', () => {
  expect(signWebhook(message, [secret])).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  })
})

test('signs with every secret, so that a receiver may know the old or the new one', () => {
  const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const signatures = signWebhook(message, [next, secret])['webhook-signature']?.split(' ')
  expect(signatures).toHaveLength(2)
  expect(signatures?.[1]).toBe(signature)
})

test.each([
  ['no prefix', secret.slice(6)],
  ['too short', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
  ['not base64', 'whsec_%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%'],
  ['base64url', `whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`],
])('refuses a secret with %s', (_, text) => {
  expect(parseSecret(text)).toBeNull()
  expect(() => signWebhook(message, [text])).toThrow()
})
