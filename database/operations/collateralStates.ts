import type { DataSource } from 'typeorm'
import type { UnixSeconds } from '@perigee/core'
import { CollateralStateEntity } from '../entities/CollateralState.js'

/** Records how fresh a kind of collateral is, for the API's readiness. Of several workers, the one with the freshest decides. */
export async function writeCollateralState(
  database: DataSource,
  kind: string,
  { refreshedAt, staleAt }: { refreshedAt: UnixSeconds; staleAt: UnixSeconds },
): Promise<void> {
  await database.query(
    `INSERT INTO collateral_states (kind, refreshed_at, stale_at) VALUES ($1, to_timestamp($2), to_timestamp($3))
     ON CONFLICT (kind) DO UPDATE SET refreshed_at = EXCLUDED.refreshed_at, stale_at = EXCLUDED.stale_at
     WHERE collateral_states.stale_at < EXCLUDED.stale_at`,
    [kind, refreshedAt, staleAt],
  )
}

/** Kinds of collateral that no worker could refresh in time. Empty before the first signature. */
export async function findStaleCollateral(database: DataSource): Promise<{ kind: string; refreshedAt: Date }[]> {
  return database
    .createQueryBuilder(CollateralStateEntity, 'state')
    .where('state.staleAt <= clock_timestamp()')
    .orderBy('state.kind')
    .getMany()
}
