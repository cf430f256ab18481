import type { Hex } from '@perigee/core'
import { ownersHash } from '@perigee/core/authorisation'
import type { Wallet } from '../../database/index.js'
import { openSimulatedPlatform } from '../../enclave/platforms/simulatedPlatform.js'
import { openKey, sealKey } from '../../enclave/keys/sealing.js'

type SealedWallet = Pick<Wallet, 'keyId' | 'address' | 'subject' | 'owners' | 'since' | 'sealedKey'>

/** The wallet's key as an enclave from before the rotation to version 2 would have sealed it. */
export function sealUnderVersionOne(simulationDir: string, wallet: SealedWallet): Hex {
  const { keyId, address, subject, owners, since, sealedKey } = wallet
  const { sealingKeys } = openSimulatedPlatform(simulationDir, [1, 2])
  const name = { keyId, address, subject, ownersHash: ownersHash(owners), since }
  const key = openKey(sealingKeys, name, sealedKey)
  return sealKey(sealingKeys, name, key.privateKey, key.publicKey)
}
