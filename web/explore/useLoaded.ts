import { useEffect, useState } from 'react'

/** Loads when the page opens, and again on request. `load` must be the same function on every render. */
export function useLoaded<T>(load: () => Promise<T>) {
  const [turn, setTurn] = useState(0)
  const [state, setState] = useState<{ value: T | null; error: unknown }>({ value: null, error: null })
  useEffect(() => {
    let stale = false
    setState({ value: null, error: null })
    load().then(
      (value) => stale || setState({ value, error: null }),
      (error: unknown) => stale || setState({ value: null, error }),
    )
    return () => void (stale = true)
  }, [load, turn])
  return { ...state, again: () => setTurn((old) => old + 1) }
}
