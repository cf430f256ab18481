/**
 * For every branch of the workflows (`file: line [kind]`, see `markBranches.ts`), a history in `temporal/histories` that takes
 * it. Histories that take many branches are named where they are the plainest example.
 */
export const branchHistories: Record<string, string> = {
  'changeOwners.ts: } catch (error) { [catch]': 'owners-refused',
  "changeOwners.ts: if (!('answer' in resealed)) return resealed [if]": 'owners-again',
  "changeOwners.ts: if (!('answer' in resealed)) return resealed [else]": 'owners',
  'deliverWebhook.ts: } catch (error) { [catch]': 'webhook-dead',
  'deliverWebhook.ts: if (isCancellation(error)) throw error [if]': 'webhook-cancelled',
  'deliverWebhook.ts: if (isCancellation(error)) throw error [else]': 'webhook-dead',
  'describeProof.ts: failure && `What to do: ${remedyText(slug, remedyFor(failure.code))}`, [&&]':
    'publish-pin-failed-retried-by-operator',
  "failures.ts: if (last) return { code: last.type ?? 'internal_error', message: last.message } [if]":
    'publish-pin-failed-retried-by-operator',
  "failures.ts: if (last) return { code: last.type ?? 'internal_error', message: last.message } [else]": 'webhook-dead',
  'failures.ts: while (cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause [skipped]':
    'owners-refused',
  'failures.ts: while (cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause [loop]':
    'webhook-dead',
  'failures.ts: while (cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause [again]':
    'webhook-dead',
  "operatorDesk.ts: if (proof.status === 'pin_failed' || proof.status === 'onchain_failed') decision ??= 'retry' [if]":
    'publish-retried-by-signal',
  "operatorDesk.ts: if (proof.status === 'pin_failed' || proof.status === 'onchain_failed') decision ??= 'retry' [??=]":
    'publish-retried-by-signal',
  "operatorDesk.ts: if (proof.status === 'pin_failed' || proof.status === 'onchain_failed') decision ??= 'retry' [else]":
    'publish-signal-too-early',
  'operatorDesk.ts: for (;;) { [loop]': 'publish-complete',
  'operatorDesk.ts: for (;;) { [again]': 'publish-pin-failed-retried-by-operator',
  'operatorDesk.ts: } catch (error) { [catch]': 'publish-pin-failed-retried-by-operator',
  'operatorDesk.ts: if (isCancellation(error)) throw error [if]': 'publish-cancelled',
  'operatorDesk.ts: if (isCancellation(error)) throw error [else]': 'publish-pin-failed-retried-by-operator',
  'operatorDesk.ts: const failure = isUntaken(error) ? untaken(name) : describeFailure(error, onTimeout) [?]':
    'publish-no-chain-worker',
  'operatorDesk.ts: const failure = isUntaken(error) ? untaken(name) : describeFailure(error, onTimeout) [:]':
    'publish-pin-failed-retried-by-operator',
  "operatorDesk.ts: if (recorded === 'went_on' && mayHaveGoneOn) { [if]": 'publish-finished-late',
  "operatorDesk.ts: if (recorded === 'went_on' && mayHaveGoneOn) { [else]": 'publish-pin-failed-retried-by-operator',
  "operatorDesk.ts: if (decision !== 'retry') { [if]": 'publish-pin-failed-abandoned',
  "operatorDesk.ts: decision ? 'abandoned by an operator' : 'no operator acted within 30 days', [?]":
    'publish-pin-failed-abandoned',
  "operatorDesk.ts: decision ? 'abandoned by an operator' : 'no operator acted within 30 days', [:]":
    'publish-no-operator',
  "operatorDesk.ts: if (decision !== 'retry') { [else]": 'publish-pin-failed-retried-by-operator',
  'provisionWallet.ts: const { walletId, address, birth } = await provision(input).catch((error: unknown) => { [.catch]':
    'provision-refused',
  'provisionWallet.ts: if (birth) await startPublishing(birth) [if]': 'provision',
  'provisionWallet.ts: if (birth) await startPublishing(birth) [else]': 'provision-of-a-born-wallet',
  "provisionWallet.ts: if ('wallet' in found) return found.wallet [if]": 'provision-again',
  "provisionWallet.ts: if ('wallet' in found) return found.wallet [else]": 'provision',
  "publishReceipt.ts: ? 'pinning the receipt to IPFS' [?]": 'publish-birth',
  "publishReceipt.ts: : 'pinning the receipt to IPFS, once its wallet’s birth is pinned', [:]": 'publish-complete',
  'publishReceipt.ts: if (input.isRestart) await desk.reopen() [if]': 'publish-restarted',
  'publishReceipt.ts: if (input.isRestart) await desk.reopen() [else]': 'publish-complete',
  'publishReceipt.ts: for (;;) { [loop]': 'publish-complete',
  'publishReceipt.ts: for (;;) { [again]': 'publish-outdated',
  "publishReceipt.ts: if (place !== 'outdated') { [if]": 'publish-complete',
  "publishReceipt.ts: if (place !== 'outdated') { [else]": 'publish-outdated',
  'publishReceipt.ts: } catch (error) { [catch]': 'publish-chain-failed-abandoned',
  "publishReceipt.ts: if (describeFailure(error).code !== 'receipt_outdated') throw error [if]":
    'publish-chain-failed-abandoned',
  "publishReceipt.ts: if (describeFailure(error).code !== 'receipt_outdated') throw error [else]": 'publish-outdated',
  'repairProofs.ts: do { [loop]': 'repair-orphan',
  'repairProofs.ts: do { [again]': 'repair-many-pages',
  'repairProofs.ts: } catch (error) { [catch]': 'repair-cancelled',
  'repairProofs.ts: if (isCancellation(error)) throw error [if]': 'repair-cancelled',
  'repairProofs.ts: if (isCancellation(error)) throw error [else]': 'repair-no-chain-worker',
  "resealWallet.ts: if (!('answer' in resealed)) return resealed [if]": 'reseal-again',
  "resealWallet.ts: if (!('answer' in resealed)) return resealed [else]": 'reseal',
  'resealWallet.ts: } catch (error) { [catch]': 'reseal-refused',
  'signDigest.ts: const signing = sign(request).catch((error: unknown) => { [.catch]': 'sign-refused',
  "signDigest.ts: if ('signed' in found) return found.signed [if]": 'sign-again',
  "signDigest.ts: if ('signed' in found) return found.signed [else]": 'sign',
  'startPublishing.ts: } catch (error) { [catch]': 'sign-again',
  'startPublishing.ts: if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error [else]': 'sign-again',
  "trackProof.ts: show(isSent ? `waiting until chain ${input.chainId} has seen the transaction` : 'about to pin') [?]":
    'publish-complete',
  "trackProof.ts: show(isSent ? `waiting until chain ${input.chainId} has seen the transaction` : 'about to pin') [:]":
    'publish-birth',
  'trackProof.ts: ...(found.ipfsCid ? [{ key: proofKeys.cid, value: found.ipfsCid }] : []), [?]': 'publish-complete',
  'trackProof.ts: ...(found.ipfsCid ? [{ key: proofKeys.cid, value: found.ipfsCid }] : []), [:]': 'publish-complete',
  'trackProof.ts: ...(failed || previous ? [{ key: proofKeys.failure, value: failed?.code ?? null }] : []), [?]':
    'publish-pin-failed-retried-by-operator',
  'trackProof.ts: ...(failed || previous ? [{ key: proofKeys.failure, value: failed?.code ?? null }] : []), [:]':
    'publish-complete',
  "trackProof.ts: if (kind === 'birth') return `the birth of wallet ${wallet}` [if]": 'publish-birth',
  "trackProof.ts: if (kind === 'birth') return `the birth of wallet ${wallet}` [else]": 'publish-complete',
}
