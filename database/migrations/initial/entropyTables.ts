/** Entropy samples and what each served, the limits of their sources, and the state of the supply. */
export const entropyTables = `
  CREATE TABLE entropy_samples (
    witness_hash text PRIMARY KEY,
    value text NOT NULL UNIQUE CHECK (value ~ '^0x[0-9a-f]{64}$'),
    position text UNIQUE,
    source text NOT NULL,
    provenance text NOT NULL,
    received_at bigint NOT NULL,
    fresh_until bigint NOT NULL,
    sample jsonb NOT NULL,
    purpose text,
    taken_at timestamptz,
    retired_at timestamptz,
    CONSTRAINT entropy_samples_taken CHECK ((purpose IS NULL) = (taken_at IS NULL)),
    CONSTRAINT entropy_samples_retired CHECK (retired_at IS NULL OR purpose IS NOT NULL)
  );
  CREATE UNIQUE INDEX entropy_samples_purpose ON entropy_samples (purpose) WHERE retired_at IS NULL;
  CREATE INDEX entropy_samples_waiting ON entropy_samples (fresh_until) WHERE purpose IS NULL;

  -- Not even a bug in our own queries may give a used sample to another operation, or forget its use.
  CREATE FUNCTION entropy_use_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'entropy sample % already serves an operation', OLD.witness_hash USING ERRCODE = 'check_violation';
  END $$;
  CREATE TRIGGER entropy_use_is_final_update BEFORE UPDATE ON entropy_samples FOR EACH ROW
    WHEN (OLD.purpose IS NOT NULL AND (NEW.purpose IS DISTINCT FROM OLD.purpose
      OR NEW.value <> OLD.value OR NEW.witness_hash <> OLD.witness_hash
      OR (OLD.retired_at IS NOT NULL AND NEW.retired_at IS DISTINCT FROM OLD.retired_at)))
    EXECUTE FUNCTION entropy_use_is_final();
  CREATE TRIGGER entropy_use_is_final_delete BEFORE DELETE ON entropy_samples FOR EACH ROW
    WHEN (OLD.purpose IS NOT NULL) EXECUTE FUNCTION entropy_use_is_final();

  CREATE TABLE entropy_streams (stream text PRIMARY KEY, high_water numeric(20) NOT NULL);
  CREATE TABLE entropy_sources (
    source text PRIMARY KEY,
    next_request_at timestamptz NOT NULL,
    day date NOT NULL,
    day_samples integer NOT NULL
  );
  CREATE TABLE entropy_supply (
    id integer PRIMARY KEY CHECK (id = 1),
    leader text,
    leader_until timestamptz NOT NULL DEFAULT '-infinity',
    snapshot jsonb,
    updated_at timestamptz
  );
  INSERT INTO entropy_supply (id) VALUES (1);
`
