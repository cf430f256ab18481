import express from 'express'
import pg from 'pg'
import { EnvReader } from '@perigee/core/config'
import type { SignDigestInput } from '@perigee/core/workflow'
import { createTemporalClient, parseTemporalConfig } from '../../temporal/index.js'

/* The least that can answer who is asking: a session is read, the request is counted and committed, Temporal is asked. */
const pool = new pg.Pool({ connectionString: process.env['FLOOR_DATABASE'], max: 10 })
const temporal = createTemporalClient(parseTemporalConfig(new EnvReader(process.env)))
const app = express()
app.disable('x-powered-by')
app.post('/sign/digest', express.json({ limit: '64kb' }), async (req, res) => {
  const { walletId, input } = req.body as { walletId: string; input: SignDigestInput }
  await pool.query({ name: 'who', text: 'SELECT id FROM floor_sessions WHERE id = $1', values: ['session'] })
  const counted = 'INSERT INTO floor_requests VALUES ($1, $2)'
  await pool.query({ name: 'count', text: counted, values: [walletId, input.digest] })
  res.json(await temporal.signDigest(input))
})
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
