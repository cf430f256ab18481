/** A batch stays far below the statement timeout, and holds its row locks for milliseconds. */
export const retentionBatch = 2_000

/*
 * The condition stands twice: a row that another transaction changes while the statement waits for it (a replayed webhook, a
 * key taken over) is checked again as it is then. Postgres before November 2025 does not compare its ctid again.
 */
const deleting = (table: string, condition: string) =>
  `DELETE FROM ${table}
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT $1)) AND (${condition}) RETURNING 1`

const emptying = (table: string, column: string, condition: string) =>
  `UPDATE ${table} SET ${column} = '0x'
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${column} <> '0x' AND ${condition} LIMIT $1)) AND ${condition} RETURNING 1`

/** The slot's end is final, and its transaction is never sent again. Hashes, nonces and the record of the proof stay. */
const slotEnded = `created_at < now() - interval '90 days'`

/**
 * What is not kept, one statement each: it takes a batch of rows ($1), by the database's clock. What no rule names is kept
 * permanently. docs/operations.md, "What is kept, and how long", explains them; add a row there for a rule here.
 */
export const retentionRules = {
  sessions: deleting('sessions', `expires_at < now() - interval '30 days' OR revoked_at < now() - interval '30 days'`),
  // Their expiry was set by the API's clock, and until then they refuse a second use: an hour's margin.
  signIns: deleting('sign_in_transactions', `expires_at < now() - interval '1 hour'`),
  answeredKeys: deleting('idempotency_keys', 'expires_at < now()'),
  // Its request died with its process. The same request may take such a key over at any time, so nothing is lost.
  unfinishedKeys: deleting('idempotency_keys', `status IS NULL AND locked_until < now() - interval '1 hour'`),
  rateLimits: deleting('rate_limits', 'free_at < now()'),
  streamPlaces: deleting('stream_places', 'until < now()'),
  // A year, and a month to look back at it.
  usageDays: deleting('usage_days', `day < current_date - 400`),
  cpuDays: deleting('cpu_days', `day < current_date - 400`),
  // A trigger writes each into used_entropy, so that the same value is never accepted again.
  usedSamples: deleting('entropy_samples', `taken_at < now() - interval '30 days'`),
  // Kept so that an operator can replay them.
  webhookDeliveries: deleting('webhook_deliveries', `state = 'delivered' AND ended_at < now() - interval '30 days'`),
  // An alert names dead letters after a minute. Pending ones this old belong to an application that no worker serves.
  lostWebhooks: deleting(
    'webhook_deliveries',
    `(state = 'dead' AND ended_at < now() - interval '90 days')
     OR (state = 'pending' AND occurred_at < now() - interval '90 days')`,
  ),
  publisherTransactions: emptying(
    'publisher_transactions',
    'raw',
    `${slotEnded} AND slot_id IN (SELECT id FROM publisher_slots WHERE state <> 'open')`,
  ),
  publisherCalls: emptying('publisher_slots', 'calldata', `${slotEnded} AND state <> 'open'`),
} satisfies Record<string, string>

export type RetentionRule = keyof typeof retentionRules
