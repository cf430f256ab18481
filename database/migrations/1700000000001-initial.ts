import type { MigrationInterface, QueryRunner } from 'typeorm'
import { accountTables } from './initial/accountTables.js'
import { entropyTables } from './initial/entropyTables.js'
import { openPublisherSlot } from './initial/openPublisherSlot.js'
import { publishingTables } from './initial/publishingTables.js'
import { signingTables } from './initial/signingTables.js'

/** The whole schema. A test compares it with the entities. */
export class Initial1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [accountTables, signingTables, publishingTables, openPublisherSlot, entropyTables]) {
      await runner.query(sql)
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE users, sessions, sign_in_transactions, rate_limits, idempotency_keys, audit_events, audit_head,
        bundles, pins, wallets, transactions, attestations, publisher_slots, publisher_transactions, publications,
        entropy_samples, entropy_streams, entropy_sources, entropy_supply CASCADE;
      DROP FUNCTION entropy_use_is_final;
    `)
  }
}
