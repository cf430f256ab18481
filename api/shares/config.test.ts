import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EnvReader, type Env } from '@perigee/core/config'
import { parseFundsRpcs, parseShareSettings, readShares } from './config.js'
import { defaultShares } from './Shares.js'

const providers = [{ name: 'dev', issuer: 'https://idp.example', clientId: 'c', clientSecret: 's' }]
const share = { perSecond: 1, burst: 2, perDay: 3, unsent: 4 }
const file = (content: object) => readShares(JSON.stringify(content), providers)

test('what a file does not name keeps its default', () => {
  expect(file({})).toEqual(defaultShares)
  expect(file({ users: share })).toEqual({ ...defaultShares, users: share })
})

test('a group has its own share, and its members theirs or everybody’s', () => {
  const group = { ...share, perDay: 1000 }
  const { groups } = file({
    users: share,
    groups: [
      { name: 'beta', members: ['dev:alice', 'dev:bob:2'], group },
      { name: 'partners', members: [], users: group, group },
    ],
  })
  expect(groups).toEqual([
    {
      name: 'beta',
      users: share,
      group,
      members: [
        { issuer: 'https://idp.example', subject: 'alice' },
        { issuer: 'https://idp.example', subject: 'bob:2' },
      ],
    },
    { name: 'partners', users: group, group, members: [] },
  ])
})

const team = (change: object) => ({ groups: [{ name: 'team', members: [], group: share, ...change }] })
test.each<[string, object | string, RegExp]>([
  ['is no JSON', '{', /not valid JSON/],
  ['names a member twice', '{"users": {}, "users": {}}', /named twice/],
  ['has an unknown member', { user: share }, /user/],
  ['has an incomplete share', { users: { perSecond: 1 } }, /users\.burst/],
  ['has a share of nothing', { users: { ...share, perDay: 0 } }, /users\.perDay/],
  ['has half a signature', { users: { ...share, unsent: 1.5 } }, /users\.unsent/],
  ['has a bad group name', team({ name: 'The Team' }), /groups\.0\.name/],
  ['has a member without provider', team({ members: ['alice'] }), /groups\.0\.members\.0/],
  ['has an unknown provider', team({ members: ['google:alice'] }), /OIDC_PROVIDERS has no google/],
  ['has somebody twice', team({ members: ['dev:alice', 'dev:alice'] }), /dev:alice is named twice/],
  ['has a group twice', { groups: [...team({}).groups, ...team({}).groups] }, /group team is named twice/],
])('refuses a file that %s', (_, content, expected) => {
  expect(() => readShares(typeof content === 'string' ? content : JSON.stringify(content), providers)).toThrow(expected)
})

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'perigee-shares-'))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function read(env: Env) {
  const reader = new EnvReader(env)
  return { settings: parseShareSettings(reader, providers), problems: reader.problems }
}

test('a wrong file is one clear line at the start', () => {
  const path = join(dir, 'shares.json')
  writeFileSync(path, '{"users": 1}')
  expect(read({ SHARES_FILE: path }).problems).toEqual([expect.stringMatching(/^SHARES_FILE: users: .+/)])
  expect(read({ SHARES_FILE: join(dir, 'none.json') }).problems).toEqual([
    'SHARES_FILE names a file that cannot be read',
  ])
})

test('the local stack’s file is a good one', () => {
  const path = new URL('../../dev/stack/settings/shares.json', import.meta.url)
  expect(readShares(readFileSync(path, 'utf8'), []).users.perDay).toBeGreaterThan(defaultShares.users.perDay)
})

test('without settings there are defaults', () => {
  expect(read({})).toEqual({
    settings: { shares: defaultShares, unsentSeconds: 900, entropyReserve: 200 },
    problems: [],
  })
})

test('balances are asked of every RPC that is known, unless that is turned off', () => {
  const env = { CHAIN_ID: '1', CHAIN_RPC_URLS: 'https://one.example', WALLET_RPC_URLS: '5=https://five.example' }
  expect(parseFundsRpcs(new EnvReader(env))?.get(1)).toEqual(['https://one.example'])
  expect(parseFundsRpcs(new EnvReader(env))?.get(5)).toEqual(['https://five.example'])
  expect(parseFundsRpcs(new EnvReader({ ...env, CHECK_FUNDS: 'false' }))).toBeNull()
  const wrong = new EnvReader({ CHECK_FUNDS: 'no' })
  parseFundsRpcs(wrong)
  expect(wrong.problems).toEqual(['CHECK_FUNDS must be one of true, false'])
})
