import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Who may sign in, and who is signed in. */
export class UsersAndSessions1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        issuer text NOT NULL,
        subject text NOT NULL,
        email text NOT NULL,
        name text,
        kms_key_id text,
        created_at timestamptz NOT NULL,
        last_login_at timestamptz NOT NULL,
        CONSTRAINT users_issuer_subject UNIQUE (issuer, subject)
      );
      CREATE TABLE sessions (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        secret_hash bytea NOT NULL CONSTRAINT sessions_secret_hash UNIQUE CHECK (octet_length(secret_hash) = 32),
        user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        last_seen_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
      );
      CREATE INDEX sessions_of_user ON sessions (user_id) WHERE revoked_at IS NULL;
      CREATE INDEX sessions_expiry ON sessions (expires_at);
      CREATE TABLE sign_in_transactions (id text PRIMARY KEY, expires_at timestamptz NOT NULL);
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE sign_in_transactions; DROP TABLE sessions; DROP TABLE users`)
  }
}
