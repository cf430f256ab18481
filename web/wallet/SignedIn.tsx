import { useService, type WalletInfo } from '@perigee/sdk'
import { useCallback, useState } from 'react'
import { Owners } from '../passkeys/Owners.js'
import type { PasskeyActions } from '../passkeys/usePasskeyActions.js'
import { addToHistory, readHistory, type SentTransaction } from './history.js'
import { HistoryList } from './HistoryList.js'
import { LatestProof } from './LatestProof.js'
import { SendForm } from './SendForm.js'
import { useBalance } from './useBalance.js'
import { WalletCard } from './WalletCard.js'

/** The wallet of the signed-in person: what it holds, sending, who can approve, and the proofs of what was sent. */
export function SignedIn({ wallet, actions }: { wallet: WalletInfo; actions: PasskeyActions }) {
  const { client } = useService()
  const balance = useBalance(client, wallet.address)
  const [sent, setSent] = useState(() => readHistory(wallet.address))
  const [latest, setLatest] = useState<string | null>(null)
  const { reload } = balance
  const onSent = useCallback(
    (transaction: SentTransaction) => {
      setSent(addToHistory(wallet.address, transaction))
      setLatest(transaction.slug)
      reload()
    },
    [wallet.address, reload],
  )
  return (
    <>
      <h1 className="visually-hidden">Your wallet</h1>
      <WalletCard wallet={wallet} balance={balance} />
      <SendForm onSent={onSent} balance={balance.wei} />
      {latest !== null && <LatestProof slug={latest} />}
      <Owners actions={actions} />
      <HistoryList sent={sent} />
    </>
  )
}
