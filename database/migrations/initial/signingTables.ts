/** Wallets, and signatures with their evidence. */
export const signingTables = `
  CREATE TABLE bundles (
    cid text PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('collateral', 'trust-anchors')),
    bytes bytea NOT NULL
  );
  CREATE TABLE wallets (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL UNIQUE REFERENCES users (id),
    key_id text NOT NULL UNIQUE,
    address text NOT NULL UNIQUE CHECK (address = lower(address)),
    public_key text NOT NULL,
    sealed_key text NOT NULL,
    subject text NOT NULL,
    owners jsonb,
    since text,
    credentials jsonb NOT NULL,
    entropy jsonb NOT NULL,
    entropy_hash text NOT NULL UNIQUE,
    quote text NOT NULL,
    nonce text NOT NULL,
    coordinator_report_hash text NOT NULL,
    collateral_cid text NOT NULL REFERENCES bundles (cid),
    tcb_status text NOT NULL,
    quote_verified boolean NOT NULL,
    key_created_at bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT wallets_owned_check CHECK ((owners IS NULL) = (since IS NULL))
  );
  CREATE TABLE transactions (
    id uuid PRIMARY KEY,
    wallet_id uuid NOT NULL REFERENCES wallets (id),
    digest text NOT NULL CHECK (digest ~ '^0x[0-9a-f]{64}$'),
    chain_id bigint NOT NULL,
    metadata jsonb NOT NULL,
    signature text NOT NULL,
    tx_hash text NOT NULL UNIQUE,
    slug text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (wallet_id, digest)
  );
  CREATE TABLE attestations (
    transaction_id uuid PRIMARY KEY REFERENCES transactions (id),
    platform text NOT NULL,
    simulated boolean NOT NULL,
    quote text NOT NULL,
    runtime_events jsonb,
    nonce text NOT NULL,
    policy_hash text NOT NULL,
    signed_at bigint NOT NULL,
    collateral_cid text NOT NULL REFERENCES bundles (cid),
    trust_anchors_cid text NOT NULL REFERENCES bundles (cid),
    root_fingerprint text NOT NULL,
    verified_at bigint NOT NULL,
    tcb_status text NOT NULL,
    advisory_ids jsonb NOT NULL,
    quote_verified boolean NOT NULL,
    coordinator jsonb NOT NULL,
    authorisation jsonb NOT NULL,
    entropy jsonb NOT NULL,
    entropy_hash text NOT NULL UNIQUE,
    anchors jsonb NOT NULL,
    issued_at timestamptz NOT NULL
  );
`
