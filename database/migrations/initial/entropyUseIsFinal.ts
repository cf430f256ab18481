/**
 * Not even a bug in our own queries may give a used sample to another operation, or forget its use. A used sample may be
 * deleted after 30 days, and its value is then remembered in `used_entropy`, from which nothing is ever removed.
 */
export const entropyUseIsFinal = `
  CREATE FUNCTION entropy_use_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_TABLE_NAME = 'used_entropy' THEN
      RAISE EXCEPTION 'a used value is never forgotten' USING ERRCODE = 'check_violation';
    ELSIF TG_OP = 'DELETE' AND OLD.taken_at < now() - interval '30 days' THEN
      INSERT INTO used_entropy (value) VALUES (decode(substr(OLD.value, 3), 'hex')) ON CONFLICT DO NOTHING;
      RETURN OLD;
    END IF;
    RAISE EXCEPTION 'entropy sample % already serves an operation', OLD.witness_hash USING ERRCODE = 'check_violation';
  END $$;
  CREATE TRIGGER entropy_use_is_final_update BEFORE UPDATE ON entropy_samples FOR EACH ROW
    WHEN (OLD.purpose IS NOT NULL AND (NEW.purpose IS DISTINCT FROM OLD.purpose
      OR NEW.value <> OLD.value OR NEW.witness_hash <> OLD.witness_hash OR NEW.taken_at IS DISTINCT FROM OLD.taken_at
      OR (OLD.retired_at IS NOT NULL AND NEW.retired_at IS DISTINCT FROM OLD.retired_at)))
    EXECUTE FUNCTION entropy_use_is_final();
  CREATE TRIGGER entropy_use_is_final_delete BEFORE DELETE ON entropy_samples FOR EACH ROW
    WHEN (OLD.purpose IS NOT NULL) EXECUTE FUNCTION entropy_use_is_final();
  CREATE TRIGGER used_entropy_is_final BEFORE UPDATE OR DELETE ON used_entropy FOR EACH ROW
    EXECUTE FUNCTION entropy_use_is_final();
`
