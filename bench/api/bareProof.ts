import express from 'express'
import pg from 'pg'

/** The minimum that can answer `GET /proof/:slug`: Express, a pool, one row. Sends its port to the parent. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const app = express()
app.disable('x-powered-by')
app.get('/proof/:slug', async (req, res) => {
  const { rows } = await pool.query<{ receipt: string }>(
    `SELECT p.slug, p.kind, p.tx_hash, p.chain_id, p.created_at, w.address, a.quote_verified,
            p.status, p.cid, p.receipt, p.onchain_tx_hash, p.onchain_block_number
       FROM publications p
       JOIN wallets w ON w.id = p.wallet_id
       JOIN attestations a ON a.slug = p.slug
      WHERE p.slug = $1`,
    [req.params['slug']],
  )
  const row = rows[0]
  res.json(row && { ...row, receipt: JSON.parse(row.receipt) as unknown })
})
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
