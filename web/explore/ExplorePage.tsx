import { Facts } from '../components/Facts.js'
import { chainName } from '../format/chains.js'
import { Hash } from '../components/Hash.js'
import { SearchField } from '../components/SearchField.js'
import { Shell } from '../components/Shell.js'
import { useConfig } from '../config/ConfigContext.js'

/** The start of a search for a proof. */
export function ExplorePage() {
  const { chainId, contracts } = useConfig()
  return (
    <Shell title="Explorer">
      <h1>Explorer</h1>
      <p className="lead">
        Every receipt is stored on IPFS and named by an event on the chain. Your browser reads both itself. It asks the
        service only when you look up a proof by its name.
      </p>
      <SearchField />
      <section className="card" aria-labelledby="sources-title">
        <h2 id="sources-title">Where this page looks</h2>
        <Facts
          facts={[
            ['Name', 'The service gives the state of that one proof.'],
            ['CID', 'The receipt comes from IPFS; its bytes are hashed here.'],
            ['Transaction, message, wallet', `Events of the contract on ${chainName(chainId)}.`],
            ['Contract', contracts[0] ? <Hash value={contracts[0]} what="the contract" /> : 'None is configured.'],
            ...contracts.slice(1).map((former, index) => {
              const name = contracts.length > 2 ? `Former contract ${index + 1}` : 'Former contract'
              return [name, <Hash value={former} what="the former contract" />] as const
            }),
          ]}
        />
      </section>
      <section className="card" aria-labelledby="search-title">
        <h2 id="search-title">Search them all</h2>
        <p>
          One entropy sample belongs to one receipt.{' '}
          <a href="/explore/contradictions">Look for receipts that contradict one another</a>.
        </p>
      </section>
    </Shell>
  )
}
