/** Not even a bug in our own queries may give a used sample to another operation, or forget its use. */
export const entropyUseIsFinal = `
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
`
