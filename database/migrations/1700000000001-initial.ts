import type { MigrationInterface, QueryRunner } from 'typeorm'
import { appendAuditEvent } from './initial/appendAuditEvent.js'
import { entropyUseIsFinal } from './initial/entropyUseIsFinal.js'
import { openPublisherSlot } from './initial/openPublisherSlot.js'
import { takeShare } from './initial/takeShare.js'
import { webhookOutbox } from './initial/webhookOutbox.js'

/** What the entities cannot say. */
const rest = `
  -- Unlogged, so that writing is cheap: after a crash of the database every limit starts afresh, which is harmless.
  ALTER TABLE rate_limits SET UNLOGGED;
  ALTER TABLE stream_places SET UNLOGGED;
  INSERT INTO audit_head (id, sequence, hash) VALUES (1, 0, decode(repeat('00', 32), 'hex'));
  INSERT INTO entropy_supply (id) VALUES (1);
  INSERT INTO repairs (part, completed_at) VALUES ('chain', clock_timestamp()), ('pins', clock_timestamp());
`

/**
 * The whole schema: the tables as the entities describe them, then the rest. The first release freezes the SQL here;
 * until then the entities are the only description of a table, and a test keeps what Postgres makes of them.
 */
export class Initial1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const { upQueries } = await runner.dataSource.driver.createSchemaBuilder().log()
    for (const { query, parameters } of upQueries) await runner.query(query, parameters)
    const functions = [rest, appendAuditEvent, entropyUseIsFinal, openPublisherSlot, takeShare, webhookOutbox]
    for (const sql of functions) await runner.query(sql)
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = runner.dataSource.entityMetadatas.map(({ tableName }) => tableName)
    const functions =
      'append_audit_event, entropy_use_is_final, enqueue_webhook, tell_proof, tell_wallet, is_made, close_claims, take_share'
    await runner.query(`DROP TABLE ${tables.join(', ')} CASCADE; DROP FUNCTION ${functions};`)
  }
}
