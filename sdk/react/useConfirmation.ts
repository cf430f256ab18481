'use client'
import { useEffect, useState } from 'react'
import type { Confirm, MessageView } from '../types.js'
import { useServiceContext } from './useService.js'

/** A message or typed data that waits for the person's answer. */
export interface Confirmation {
  view: MessageView
  approve: () => void
  decline: () => void
}

/** Handlers of one client form a list, the newest first: components may leave in any order. */
interface Below {
  confirm?: Handler | undefined
}
type Handler = Confirm & Below

/**
 * What waits to be confirmed, or null. While a component uses this hook, every message and typed data of the client below
 * the provider waits for its answer. Of several such components the newest is asked; unmounting declines what waits.
 */
export function useConfirmation(): Confirmation | null {
  const { client } = useServiceContext().session
  const [waiting, setWaiting] = useState<readonly Confirmation[]>([])
  useEffect(() => {
    const open = new Set<Confirmation>()
    const ask: Handler = (view, signal) =>
      new Promise((resolve) => {
        const answer = (isApproved: boolean) => () => {
          open.delete(entry)
          setWaiting([...open])
          resolve(isApproved)
        }
        const entry: Confirmation = { view, approve: answer(true), decline: answer(false) }
        signal?.addEventListener('abort', entry.decline)
        setWaiting([...open.add(entry)])
      })
    ask.confirm = client.confirm
    client.confirm = ask
    return () => {
      let above: Below | undefined = client
      while (above && above.confirm !== ask) above = above.confirm
      if (above) above.confirm = ask.confirm
      for (const { decline } of open) decline()
    }
  }, [client])
  return waiting[0] ?? null
}
