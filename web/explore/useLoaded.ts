import { useEffect, useState } from 'react'

/** Loads when the page opens, again on request, and when one of what it depends on changes. */
export function useLoaded<T>(load: () => Promise<T>, dependsOn: readonly unknown[]) {
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
  }, [...dependsOn, turn])
  return { ...state, again: () => setTurn((old) => old + 1) }
}
