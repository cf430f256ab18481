import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What the API keeps about requests: limits shared by its processes, idempotency keys, and the audit log. */
export class LimitsIdempotencyAudit1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Unlogged: after a crash of the database every limit starts afresh, which harms nobody, and writing is cheap.
    await runner.query(`
      CREATE UNLOGGED TABLE rate_limits (key text PRIMARY KEY, free_at timestamptz NOT NULL);
      CREATE TABLE idempotency_keys (
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        route text NOT NULL,
        key_hash bytea NOT NULL,
        fingerprint bytea NOT NULL,
        owner uuid NOT NULL,
        status integer,
        body text,
        locked_until timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, route, key_hash)
      );
      CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
      CREATE TABLE audit_events (
        sequence bigint PRIMARY KEY,
        at timestamptz NOT NULL,
        kind text NOT NULL,
        subject text,
        facts jsonb NOT NULL,
        previous_hash bytea NOT NULL,
        hash bytea NOT NULL
      );
      CREATE INDEX audit_events_subject ON audit_events (subject, sequence);
      CREATE TABLE audit_head (id integer PRIMARY KEY CHECK (id = 1), sequence bigint NOT NULL, hash bytea NOT NULL);
      INSERT INTO audit_head VALUES (1, 0, decode(repeat('00', 32), 'hex'));
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE audit_head; DROP TABLE audit_events; DROP TABLE idempotency_keys; DROP TABLE rate_limits`,
    )
  }
}
