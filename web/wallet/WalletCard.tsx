import type { WalletInfo } from '@perigee/sdk'
import { formatEther } from 'viem'
import { chainName } from '../format/chains.js'
import { Facts } from '../components/Facts.js'
import { Hash } from '../components/Hash.js'
import { useConfig } from '../config/ConfigContext.js'
import { formatTime } from '../format/formatTime.js'
import { Faucet } from './Faucet.js'
import type { Balance } from './useBalance.js'

export function WalletCard({ wallet, balance }: { wallet: WalletInfo; balance: Balance }) {
  const { chainId } = useConfig()
  const { entropyHash, entropySig, satelliteSource } = wallet.provenance
  return (
    <section className="card" aria-labelledby="wallet-title">
      <div className="spread">
        <h2 id="wallet-title">Your wallet</h2>
        <span className="chip">on {chainName(chainId)}</span>
      </div>
      <p className="balance" aria-live="polite">
        {balance.wei === null ? <span className="skeleton">0.000</span> : trim(formatEther(balance.wei))}{' '}
        <small>ETH</small>
      </p>
      {balance.failed && (
        <p className="field-error" role="status">
          The chain does not answer; this may be out of date.
        </p>
      )}
      <Hash value={wallet.address} what="the address" whole />
      <Faucet address={wallet.address} onFunded={balance.reload} />
      <details>
        <summary>Where the key comes from</summary>
        <p>
          The enclave mixed its own randomness with a sample from <strong>{satelliteSource}</strong> when it made this
          key on {formatTime(wallet.createdAt)}. This record never changes.
        </p>
        <Facts
          facts={[
            ['Sample (hash)', <Hash value={entropyHash} what="the hash of the sample" />],
            ['Signature of the source', entropySig ? <Hash value={entropySig} what="the signature" /> : 'none given'],
          ]}
        />
      </details>
    </section>
  )
}

/** Six decimals are enough to read; the exact value is what counts elsewhere. */
function trim(ether: string): string {
  return ether
    .replace(/(\.\d{6})\d+$/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}
