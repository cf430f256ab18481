/** A caller who asks again, as the SDK does: while a worker starts, or on a busy machine, nobody answers. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === 30) throw error
    }
  }
}
