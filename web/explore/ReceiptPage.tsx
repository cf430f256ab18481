import { parseAnyReceipt, subjectOf, type AnyReceipt } from '@perigee/core/receipt'
import { useCallback } from 'react'
import { CopyButton } from '../components/CopyButton.js'
import { Hash } from '../components/Hash.js'
import { Loading } from '../components/Loading.js'
import { Note } from '../components/Note.js'
import { Shell } from '../components/Shell.js'
import { wordsOf } from '../components/wordsOf.js'
import { useConfig } from '../config/ConfigContext.js'
import { BirthFacts } from '../proof/BirthFacts.js'
import { ProofFacts } from '../proof/ProofFacts.js'
import { SimulatedBanner } from '../proof/SimulatedBanner.js'
import { fetchFromIpfs } from '../verify/createSources.js'
import { VerifyHere } from '../verify/VerifyHere.js'
import { Failure } from './Failure.js'
import { useLoaded } from './useLoaded.js'

interface Read {
  bytes: number
  receipt: AnyReceipt | null
  /** Why the bytes are no receipt. */
  wrong: string
}

/** A receipt by its CID alone: no service is asked. */
export function ReceiptPage({ cid }: { cid: string }) {
  const config = useConfig()
  const load = useCallback(async (): Promise<Read> => {
    const bytes = await fetchFromIpfs(config, cid)
    try {
      return { bytes: bytes.length, receipt: parseAnyReceipt(bytes), wrong: '' }
    } catch (error) {
      return { bytes: bytes.length, receipt: null, wrong: wordsOf(error) }
    }
  }, [config, cid])
  const { value, error, again } = useLoaded(load)
  return (
    <Shell title="Receipt">
      <div className="proof-head">
        <h1>Receipt by its CID</h1>
        <Hash value={cid} what="the CID" whole />
        {value && (
          <p className="fine" role="status">
            {value.bytes} bytes from IPFS, hashed here: they are what this CID names.
          </p>
        )}
      </div>
      {error !== null && <Failure what="The receipt could not be fetched." error={error} again={again} />}
      {!value && error === null && <Loading words="Fetching from IPFS…" />}
      {value && !value.receipt && (
        <Note
          tone="bad"
          title="These bytes are not a receipt."
          text="Anyone can store anything on IPFS. The checks below say what is wrong."
        >
          <p className="fine wrap">{value.wrong.slice(0, 200)}</p>
        </Note>
      )}
      {value?.receipt && <Facts receipt={value.receipt} />}
      {value && (
        <>
          <VerifyHere
            target={{ kind: 'cid', cid }}
            kind={value.receipt?.version === 'perigee-birth/1' ? 'birth' : 'transaction'}
            name={cid.slice(-8)}
          />
          <section className="card" aria-labelledby="tools-title">
            <h2 id="tools-title">Check it with your own tools</h2>
            <div className="actions">
              <CopyButton text={`npm run verify -- ${cid}`} what="the command" label="Copy the verify command" />
              <a href={`${config.ipfsGatewayUrl}/ipfs/${encodeURIComponent(cid)}`}>Raw bytes on IPFS</a>
            </div>
          </section>
        </>
      )}
    </Shell>
  )
}

function Facts({ receipt }: { receipt: AnyReceipt }) {
  const { wallet, chainId, txHash } = subjectOf(receipt)
  const shown = { walletAddress: wallet, chainId, txHash, createdAt: receipt.issuedAt }
  return (
    <>
      {receipt.simulated && <SimulatedBanner />}
      {receipt.version === 'perigee-birth/1' ? (
        <BirthFacts birth={{ ...shown, receipt }} />
      ) : (
        <ProofFacts proof={{ ...shown, receipt }} />
      )}
    </>
  )
}
