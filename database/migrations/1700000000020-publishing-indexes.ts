import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What looks for vanished blocks and for events' proofs must not read the whole table. */
export class PublishingIndexes1700000000020 implements MigrationInterface {
  readonly name = 'PublishingIndexes1700000000020'

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE INDEX publications_block ON publications (onchain_block_number) WHERE status = 'complete'`)
    await db.query(`CREATE INDEX publications_since ON publications (status_since) WHERE status = 'complete'`)
    await db.query(`CREATE INDEX publications_block_hash ON publications (onchain_block_hash)`)
    await db.query(`CREATE INDEX publications_cid ON publications (cid)`)
  }

  async down(db: QueryRunner): Promise<void> {
    for (const name of ['block', 'since', 'block_hash', 'cid']) await db.query(`DROP INDEX publications_${name}`)
  }
}
