/** Who may sign in and who is signed in, what the API keeps about requests, and the audit log. */
export const accountTables = `
  CREATE TABLE users (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    issuer text NOT NULL,
    subject text NOT NULL,
    email text NOT NULL,
    name text,
    kms_key_id text,
    pepper text NOT NULL CHECK (pepper ~ '^0x[0-9a-f]{64}$'),
    created_at timestamptz NOT NULL,
    last_login_at timestamptz NOT NULL,
    UNIQUE (issuer, subject)
  );
  CREATE TABLE sessions (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    secret_hash bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
    user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
  );
  CREATE INDEX sessions_of_user ON sessions (user_id) WHERE revoked_at IS NULL;
  CREATE INDEX sessions_expiry ON sessions (expires_at);
  CREATE TABLE sign_in_transactions (id text PRIMARY KEY, expires_at timestamptz NOT NULL);

  -- Unlogged, so that writing is cheap: after a crash of the database every limit starts afresh, which is harmless.
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
  CREATE TABLE audit_head (id integer PRIMARY KEY CHECK (id = 1), sequence bigint NOT NULL, hash bytea NOT NULL);
  INSERT INTO audit_head VALUES (1, 0, decode(repeat('00', 32), 'hex'));
`
