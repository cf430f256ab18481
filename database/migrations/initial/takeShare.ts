/**
 * `take_share` decides in one round trip whether a user may have something made, and counts it. Requests that share a
 * limit wait for one another here, so that no number of API processes can exceed it together.
 *
 * Each lock is a statement of its own, and decisions read rows after it. Locks are always taken in the order of `scopes`
 * (address, group, user), so that none waits for another in a circle.
 */
export const takeShare = `
  CREATE FUNCTION is_made(asker uuid, asked_kind text, asked_hash text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT CASE asked_kind
      WHEN 'birth' THEN EXISTS (SELECT FROM wallets w WHERE w.user_id = asker)
      WHEN 'message' THEN EXISTS (SELECT FROM wallets w JOIN messages m ON m.wallet_id = w.id
        WHERE w.user_id = asker AND m.request_hash = asked_hash)
      ELSE EXISTS (SELECT FROM wallets w JOIN transactions t ON t.wallet_id = w.id
        WHERE w.user_id = asker AND t.digest = asked_hash)
    END
  $$;

  -- Closes claims that are over; NULL means of all users, of any group. A request expires within seconds and is not signed
  -- after that, so what is not made two minutes later never will be: it no longer counts.
  CREATE FUNCTION close_claims(of_user uuid, of_group text, unsent interval) RETURNS void LANGUAGE sql VOLATILE AS $$
    WITH closed AS (
      DELETE FROM signing_claims c
       WHERE (of_user IS NULL OR c.user_id = of_user) AND (of_group IS NULL OR c.group_name = of_group)
         AND c.claimed_at < clock_timestamp() - interval '2 minutes'
         AND (c.claimed_at < clock_timestamp() - unsent OR NOT is_made(c.user_id, c.kind, c.hash))
      RETURNING c.user_id, c.day, c.kind, is_made(c.user_id, c.kind, c.hash) AS made
    ), failed AS (
      SELECT user_id, day, count(*) FILTER (WHERE kind = 'transaction') AS signatures,
             count(*) FILTER (WHERE kind = 'message') AS messages, count(*) FILTER (WHERE kind = 'birth') AS births
        FROM closed WHERE NOT made GROUP BY user_id, day
    )
    UPDATE usage_days u SET signatures = u.signatures - failed.signatures, messages = u.messages - failed.messages,
           births = u.births - failed.births
      FROM failed WHERE u.user_id = failed.user_id AND u.day = failed.day
  $$;

  CREATE FUNCTION take_share(
    asker uuid, asked_kind text, asked_hash text, asked_group text, scopes jsonb, unsent_seconds integer, reserve integer
  ) RETURNS TABLE (outcome text, share text, wait float8, used bigint) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
    midnight float8 := extract(epoch FROM (today + 1)::timestamp AT TIME ZONE 'UTC' - clock_timestamp());
    unsent interval := make_interval(secs => unsent_seconds);
    scope record;
    over float8;
    counted bigint;
    oldest timestamptz;
    left_today bigint;
    total bigint;
    users bigint;
  BEGIN
    IF is_made(asker, asked_kind, asked_hash) THEN
      RETURN QUERY SELECT 'known', NULL::text, 0::float8, 0::bigint; RETURN;
    END IF;
    FOR scope IN SELECT s.key FROM jsonb_to_recordset(scopes) AS s(key text) LOOP
      PERFORM pg_advisory_xact_lock(hashtextextended(scope.key, 0));
    END LOOP;

    UPDATE signing_claims c SET claimed_at = clock_timestamp()
     WHERE c.user_id = asker AND c.hash = asked_hash AND c.day = today;
    IF FOUND THEN RETURN QUERY SELECT 'known', NULL::text, 0::float8, 0::bigint; RETURN; END IF;
    -- Counted on an earlier day and not made: from now on it counts today.
    WITH moved AS (
      DELETE FROM signing_claims c WHERE c.user_id = asker AND c.hash = asked_hash RETURNING c.day, c.kind
    )
    UPDATE usage_days u SET signatures = u.signatures - (m.kind = 'transaction')::int,
           messages = u.messages - (m.kind = 'message')::int, births = u.births - (m.kind = 'birth')::int
      FROM moved m WHERE u.user_id = asker AND u.day = m.day;

    FOR attempt IN 1..2 LOOP
      share := NULL;
      wait := 0;
      used := 0;
      FOR scope IN SELECT * FROM jsonb_to_recordset(scopes)
        AS s(scope text, key text, "intervalMs" float8, burst integer, "perDay" bigint, unsent bigint)
      LOOP
        SELECT extract(epoch FROM l.free_at - clock_timestamp()) - (scope.burst - 1) * scope."intervalMs" / 1000 INTO over
          FROM rate_limits l WHERE l.key = scope.key;
        IF over > wait THEN share := scope.scope || '.perSecond'; wait := over; END IF;
        CONTINUE WHEN scope.scope = 'address';

        SELECT coalesce(sum(u.n), 0) INTO counted FROM (
          SELECT d.signatures + d.messages + d.births AS n FROM usage_days d
           WHERE scope.scope = 'user' AND d.user_id = asker AND d.day = today
          UNION ALL
          SELECT d.signatures + d.messages + d.births FROM usage_days d
           WHERE scope.scope = 'group' AND d.group_name = asked_group AND d.day = today) u;
        IF scope.scope = 'user' THEN used := counted; END IF;
        IF counted >= scope."perDay" AND midnight > wait THEN share := scope.scope || '.perDay'; wait := midnight; END IF;

        CONTINUE WHEN asked_kind <> 'transaction';
        SELECT count(*), min(c.claimed_at) INTO counted, oldest FROM (
          SELECT s.claimed_at FROM signing_claims s WHERE scope.scope = 'user' AND s.user_id = asker
             AND s.kind = 'transaction' AND s.claimed_at > clock_timestamp() - unsent
          UNION ALL
          SELECT s.claimed_at FROM signing_claims s WHERE scope.scope = 'group' AND s.group_name = asked_group
             AND s.kind = 'transaction' AND s.claimed_at > clock_timestamp() - unsent) c;
        over := extract(epoch FROM oldest + unsent - clock_timestamp());
        IF counted >= scope.unsent AND over > wait THEN share := scope.scope || '.unsent'; wait := over; END IF;
      END LOOP;
      EXIT WHEN share IS NULL OR share LIKE '%.perSecond' OR attempt = 2;
      -- Before refusing: what failed does not count.
      PERFORM close_claims(asker, NULL, unsent);
      IF asked_group IS NOT NULL THEN PERFORM close_claims(NULL, asked_group, unsent); END IF;
    END LOOP;
    IF share IS NOT NULL THEN RETURN QUERY SELECT 'refused', share, wait, used; RETURN; END IF;

    -- What the sources still give today; NULL when one of them has no limit, or no worker has reported.
    SELECT CASE WHEN bool_and(s.most IS NOT NULL) THEN sum(greatest(0, s.most - s.given)) END INTO left_today FROM (
      SELECT (source.value ->> 'samplesPerDay')::bigint AS most,
             CASE WHEN e.day = today THEN e.day_samples ELSE 0 END AS given
        FROM entropy_supply p CROSS JOIN jsonb_each(p.snapshot -> 'sources') source
        LEFT JOIN entropy_sources e ON e.source = source.key WHERE p.id = 1) s;
    IF left_today < reserve THEN
      left_today := left_today + (SELECT count(*) FROM entropy_samples e
        WHERE e.purpose IS NULL AND e.fresh_until > extract(epoch FROM clock_timestamp()));
      SELECT sum(d.signatures + d.messages + d.births), count(*) INTO total, users FROM usage_days d WHERE d.day = today;
      -- The heaviest users wait first, and nobody can take the rest alone.
      IF left_today < reserve AND (used * users > 2 * total OR used >= left_today) THEN
        RETURN QUERY SELECT 'refused', 'entropy', midnight, used; RETURN;
      END IF;
    END IF;

    INSERT INTO usage_days AS u (user_id, day, group_name, signatures, messages, births)
      VALUES (asker, today, asked_group, (asked_kind = 'transaction')::int, (asked_kind = 'message')::int, (asked_kind = 'birth')::int)
      ON CONFLICT (user_id, day) DO UPDATE SET group_name = excluded.group_name,
        signatures = u.signatures + excluded.signatures, messages = u.messages + excluded.messages,
        births = u.births + excluded.births;
    INSERT INTO signing_claims (user_id, hash, kind, group_name, day, claimed_at)
      VALUES (asker, asked_hash, asked_kind, asked_group, today, clock_timestamp());
    INSERT INTO rate_limits (key, free_at)
      SELECT s.key, greatest(coalesce(l.free_at, clock_timestamp()), clock_timestamp()) + s."intervalMs" * interval '1 ms'
        FROM jsonb_to_recordset(scopes) AS s(key text, "intervalMs" float8) LEFT JOIN rate_limits l ON l.key = s.key
      ON CONFLICT (key) DO UPDATE SET free_at = excluded.free_at;
    RETURN QUERY SELECT 'taken', NULL::text, 0::float8, used + 1;
  END $$
`
