/** Operators' tools read at most this many rows at a time, so that a large table does not fill memory. */
export const pageSize = 200

/** Reads page after page by a key that does not move while they are read. */
export async function* inPages<Row, Key>(
  first: Key,
  keyOf: (row: Row) => Key,
  read: (after: Key) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = first; ;) {
    const page = await read(after)
    const last = page.at(-1)
    if (!last) return
    yield page
    if (page.length < pageSize) return
    after = keyOf(last)
  }
}
