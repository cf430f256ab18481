import { ServiceError, useService } from '@perigee/sdk'
import { useCallback, useEffect, useMemo, useState } from 'react'

/** A recovery code, which is shown once. */
export interface NewCode {
  text: string
  /** False when it is unknown whether the code became the wallet's. */
  isCertain: boolean
}

/** What is being done with passkeys, and what came of it. */
export interface PasskeyActions {
  /** Which action is running. */
  busy: string | null
  /** Which action failed last, and why. */
  failed: { action: string; error: unknown } | null
  /** A recovery code to be shown now, and never again. */
  code: NewCode | null
  /** The person has stored the code. */
  forgetCode(): void
  /** Runs one action; a recovery code that it returns, or that its error carries, is shown. True when it succeeded. */
  run(action: string, work: () => Promise<unknown>): Promise<boolean>
}

/** One action at a time. The state lives above the cards, because a new wallet replaces them. */
export function usePasskeyActions(): PasskeyActions {
  const { user } = useService()
  const [busy, setBusy] = useState<string | null>(null)
  const [failed, setFailed] = useState<PasskeyActions['failed']>(null)
  const [code, setCode] = useState<NewCode | null>(null)
  useEffect(() => setCode(null), [user?.id]) // a code is for the person who made it
  useEffect(() => {
    if (code === null) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [code])
  const run = useCallback(async (action: string, work: () => Promise<unknown>) => {
    setBusy(action)
    setFailed(null)
    try {
      const { recoveryCode } = Object(await work()) as { recoveryCode?: string | null }
      setCode(recoveryCode ? { text: recoveryCode, isCertain: true } : null)
      return true
    } catch (error) {
      const kept = error instanceof ServiceError ? error.recoveryCode : null
      setCode(kept ? { text: kept, isCertain: false } : null)
      setFailed({ action, error })
      return false
    } finally {
      setBusy(null)
    }
  }, [])
  return useMemo(() => ({ busy, failed, code, forgetCode: () => setCode(null), run }), [busy, failed, code, run])
}
