import { useEffect } from 'react'
import { Facts } from '../components/Facts.js'
import { chainName } from '../components/chains.js'
import { Hash } from '../components/Hash.js'
import { SearchField } from '../components/SearchField.js'
import { Shell } from '../components/Shell.js'
import { useConfig } from '../config/ConfigContext.js'

/** Where somebody starts who has a hash and wants its proof. */
export function ExplorePage() {
  const { chainId, contractAddress } = useConfig()
  useEffect(() => void (document.title = 'Explorer · Perigee'), [])
  return (
    <Shell>
      <h1>Explorer</h1>
      <p className="lead">
        Every receipt is named by an event on the chain and stored on IPFS. Your browser reads both itself: the service
        is asked only for proofs by their own name.
      </p>
      <SearchField />
      <section className="card" aria-labelledby="sources-title">
        <h2 id="sources-title">Where this page looks</h2>
        <Facts
          facts={[
            ['Name', 'The service tells the state of that one proof.'],
            ['CID', 'The receipt comes from IPFS; its bytes are hashed here.'],
            ['Transaction, wallet', `Events of the contract on ${chainName(chainId)}.`],
            [
              'Contract',
              contractAddress ? <Hash value={contractAddress} what="the contract" /> : 'None is configured.',
            ],
          ]}
        />
      </section>
    </Shell>
  )
}
