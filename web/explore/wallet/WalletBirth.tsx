import { birthHash, parseBirth, type BirthReceiptV1 } from '@perigee/core/receipt'
import type { PublishedLog } from '@perigee/core/receipt/gather'
import type { Hex } from 'viem'
import { Facts } from '../../components/Facts.js'
import { formatTime } from '../../format/formatTime.js'
import { Hash } from '../../components/Hash.js'
import { Loading } from '../../components/Loading.js'
import { Note } from '../../components/Note.js'
import { wordsOf } from '../../format/wordsOf.js'
import { useConfig } from '../../config/ConfigContext.js'
import { StandingChip } from '../../proof/StandingChip.js'
import { fetchFromIpfs } from '../../verify/createSources.js'
import { readPublished } from '../readPublished.js'
import { useLoaded } from '../useLoaded.js'

interface Born {
  event: PublishedLog
  /** Another event names another birth: one of them is false. */
  isDisputed: boolean
  birth: BirthReceiptV1
}

/** How the wallet's key came to be: found by the address alone, on the chain and on IPFS. */
export function WalletBirth({ address }: { address: Hex }) {
  const config = useConfig()
  const load = async (): Promise<{ born: Born | null; from: number }> => {
    const { events, from } = await readPublished(config, { txHash: birthHash(address) })
    const own = events.filter(({ wallet }) => wallet === address.toLowerCase())
    const event = own.at(-1) // the first on the chain
    if (!event) return { born: null, from }
    const birth = parseBirth(await fetchFromIpfs(config, event.ipfsCid))
    const isDisputed = birth.key.address !== event.wallet || own.some(({ ipfsCid }) => ipfsCid !== event.ipfsCid)
    return { born: { event, birth, isDisputed }, from }
  }
  const { value, error } = useLoaded(load, [config, address])
  return (
    <section className="card" aria-labelledby="birth-title">
      <div className="spread">
        <h2 id="birth-title">Birth of its key</h2>
        {value?.born && <StandingChip standing="stored" />}
      </div>
      {error !== null && <Note tone="warn" title="The birth could not be read." text={wordsOf(error)} />}
      {!value && error === null && <Loading words="Looking for its birth…" />}
      {value && !value.born && (
        <p className="empty">
          {value.from === 0
            ? 'No birth receipt is published for this address.'
            : `No birth receipt since block ${value.from}; this node searches no further.`}
        </p>
      )}
      {value?.born && <BornFacts {...value.born} />}
    </section>
  )
}

function BornFacts({ event, birth, isDisputed }: Born) {
  const { key, simulated, authorisation } = birth
  return (
    <>
      {isDisputed && (
        <Note tone="bad" role="alert" title="The births of this wallet contradict each other." text="Verify each." />
      )}
      <Facts
        facts={[
          ['Born', `${formatTime(key.createdAt)}, in ${simulated ? 'a simulated enclave' : 'an Intel TDX enclave'}`],
          ['Key', <Hash value={key.publicKey} what="the public key" />],
          ['Owners', authorisation.owners ? 'Passkeys, from the beginning' : 'None when it was made'],
          ['Receipt', <Hash value={event.ipfsCid} what="the CID" />],
        ]}
      />
      <p>
        <a href={`/r/${encodeURIComponent(event.ipfsCid)}`}>Open and verify its birth</a>
      </p>
    </>
  )
}
