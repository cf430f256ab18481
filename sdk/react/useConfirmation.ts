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

/**
 * What waits to be confirmed, or null. While a component uses this hook, every message and typed data of the client below
 * the provider waits for its answer. Use it in one place; unmounting declines what waits.
 */
export function useConfirmation(): Confirmation | null {
  const { client } = useServiceContext().session
  const [waiting, setWaiting] = useState<readonly Confirmation[]>([])
  useEffect(() => {
    const open = new Set<Confirmation>()
    const before = client.confirm
    const ask: Confirm = (view, signal) =>
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
    client.confirm = ask
    return () => {
      if (client.confirm === ask) client.confirm = before
      for (const { decline } of open) decline()
    }
  }, [client])
  return waiting[0] ?? null
}
