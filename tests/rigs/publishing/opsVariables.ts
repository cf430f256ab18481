import { testCodecKey } from '../../../temporal/testing/keepHistory.js'
import { components } from '../../harness/index.js'
import type { PublishingRig } from './startPublishing.js'

/** What `npm run ops` needs to reach the rig's database, Temporal namespace and contract. */
export function opsVariables({ databaseUrl, namespace, chainConfig }: PublishingRig): Record<string, string> {
  return {
    ...components().temporalAccess,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: components().temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_CODEC_KEYS: testCodecKey,
    CHAIN_ID: '31337',
    CHAIN_RPC_URLS: components().rpcUrl,
    CONTRACT_ADDRESS: chainConfig.contract,
  }
}
