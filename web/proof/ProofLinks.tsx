import type { ProofPayload } from '@perigee/sdk'
import { CopyButton } from '../components/CopyButton.js'
import { chainName, transactionUrl } from '../components/chains.js'
import { DownloadButton } from '../components/DownloadButton.js'
import { Facts } from '../components/Facts.js'
import { Hash } from '../components/Hash.js'
import { useConfig } from '../config/ConfigContext.js'

/** Where the parts of the proof are, for checking them with other tools. */
export function ProofLinks({ proof }: { proof: ProofPayload }) {
  const { apiBaseUrl, contractAddress } = useConfig()
  const { ipfsCid, ipfsUrl, onchainTxHash, receipt, slug } = proof
  const proofUrl = `${apiBaseUrl}/proof/${encodeURIComponent(slug)}`
  // The event may be on another chain than the transaction: the receipt says which.
  const publication = receipt?.verification.publication
  const eventChain = publication?.chainId ?? proof.chainId
  const eventUrl = onchainTxHash && transactionUrl(eventChain, onchainTxHash)
  const contract = publication?.contract ?? contractAddress
  return (
    <section className="card" aria-labelledby="links-title">
      <h2 id="links-title">Check it with your own tools</h2>
      <Facts
        facts={[
          [
            'Receipt',
            ipfsCid ? (
              <>
                <Hash value={ipfsCid} what="the CID" /> {ipfsUrl && <a href={ipfsUrl}>open it on IPFS</a>}
              </>
            ) : (
              'Not public yet.'
            ),
          ],
          [
            'Chain event',
            onchainTxHash ? (
              <>
                <Hash value={onchainTxHash} what="the event’s transaction" /> on {chainName(eventChain)}{' '}
                {eventUrl && <a href={eventUrl}>look it up</a>}
              </>
            ) : (
              'Not published yet.'
            ),
          ],
          ['Contract', contract ? <Hash value={contract} what="the contract" /> : 'Known when the receipt is public.'],
          ['Raw answer', <a href={proofUrl}>JSON from the service</a>],
        ]}
      />
      <div className="actions">
        <CopyButton
          text={`npm run verify -- ${ipfsCid ?? proofUrl}`}
          what="the command"
          label="Copy the verify command"
        />
        {receipt && (
          <DownloadButton
            name={`perigee-${slug}.json`}
            content={() => JSON.stringify(proof, null, 2)}
            label="Download the answer"
          />
        )}
      </div>
    </section>
  )
}
