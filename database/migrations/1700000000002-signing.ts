import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Wallets, signatures with their evidence, and their publication. */
export class Signing1700000000002 implements MigrationInterface {
  readonly name = 'Signing1700000000002'

  async up(db: QueryRunner): Promise<void> {
    for (const statement of statements) await db.query(statement)
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of tables.toReversed()) await db.query(`DROP TABLE ${table}`)
  }
}

const tables = [
  'bundles',
  'pins',
  'wallets',
  'transactions',
  'attestations',
  'publisher_slots',
  'publisher_transactions',
  'publications',
]

const statements = [
  `CREATE TABLE bundles (
    cid text PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('collateral', 'trust-anchors')),
    bytes bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE pins (
    cid text NOT NULL,
    node text NOT NULL,
    pinned_at timestamptz NOT NULL DEFAULT now(),
    verified_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (cid, node)
  )`,
  `CREATE TABLE wallets (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL UNIQUE REFERENCES users (id),
    key_id text NOT NULL UNIQUE,
    address text NOT NULL UNIQUE CHECK (address = lower(address)),
    public_key text NOT NULL,
    sealed_key text NOT NULL,
    entropy jsonb NOT NULL,
    entropy_hash text NOT NULL UNIQUE,
    quote text NOT NULL,
    nonce text NOT NULL,
    coordinator_report_hash text NOT NULL,
    collateral_cid text NOT NULL REFERENCES bundles (cid),
    tcb_status text NOT NULL,
    quote_verified boolean NOT NULL,
    key_created_at bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE transactions (
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
  )`,
  `CREATE TABLE attestations (
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
    entropy jsonb NOT NULL,
    entropy_hash text NOT NULL UNIQUE,
    anchors jsonb NOT NULL,
    issued_at timestamptz NOT NULL
  )`,
  `CREATE TABLE publisher_slots (
    id uuid PRIMARY KEY,
    chain_id bigint NOT NULL,
    sender text NOT NULL CHECK (sender = lower(sender)),
    nonce bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'confirmed', 'reverted', 'lost')),
    calldata text NOT NULL,
    gas text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (chain_id, sender, nonce)
  )`,
  `CREATE TABLE publisher_transactions (
    tx_hash text PRIMARY KEY,
    slot_id uuid NOT NULL REFERENCES publisher_slots (id),
    raw text NOT NULL,
    max_fee_per_gas text NOT NULL,
    max_priority_fee_per_gas text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX publisher_transactions_slot ON publisher_transactions (slot_id)`,
  `CREATE TABLE publications (
    slug text PRIMARY KEY REFERENCES transactions (slug),
    status text NOT NULL CHECK (status IN ('pending_pin', 'pending_onchain', 'complete', 'pin_failed', 'onchain_failed')),
    status_since timestamptz NOT NULL DEFAULT now(),
    cid text,
    receipt text,
    slot_id uuid REFERENCES publisher_slots (id),
    onchain_tx_hash text,
    onchain_block_number bigint,
    onchain_block_hash text,
    error_code text,
    error_message text,
    abandoned_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((cid IS NULL) = (receipt IS NULL)),
    CHECK (status <> 'complete' OR (cid IS NOT NULL AND onchain_tx_hash IS NOT NULL AND onchain_block_number IS NOT NULL)),
    CHECK (status NOT IN ('pending_onchain', 'onchain_failed') OR cid IS NOT NULL)
  )`,
  // What is unfinished is small beside what is done: the sweep and the publisher look only there.
  `CREATE INDEX publications_unfinished ON publications (status, created_at) WHERE status <> 'complete'`,
  `CREATE INDEX publications_slot ON publications (slot_id)`,
]
