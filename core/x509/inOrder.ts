/** Waits for tasks that run at the same time. The first in the list that failed is the one whose fault is thrown. */
export async function inOrder<T extends readonly unknown[]>(
  ...tasks: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(tasks)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as T
}
