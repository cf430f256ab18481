import { changeOwnersOperation } from './changeOwners.js'
import { createKeyOperation } from './createKey.js'
import type { OperationDeps } from './OperationDeps.js'
import { resealKeyOperation } from './resealKey.js'
import { signMessageOperation } from './signMessage.js'
import { signTransactionOperation } from './signTransaction.js'

/** Everything that this enclave does with keys, by method and path. */
export function createOperations(deps: OperationDeps) {
  return {
    'POST /create-key': createKeyOperation(deps),
    'POST /sign-transaction': signTransactionOperation(deps),
    'POST /sign-message': signMessageOperation(deps),
    'POST /change-owners': changeOwnersOperation(deps),
    'POST /reseal-key': resealKeyOperation(deps),
  }
}
