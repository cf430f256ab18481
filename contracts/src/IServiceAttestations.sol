// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

import {ITwoStepOwner} from "./ITwoStepOwner.sol";

/// @title The public pointer from a signed transaction to its receipt
/// @notice For every signature Perigee makes, a receipt (evidence of how the key was used) is stored on IPFS, and this
/// contract says once, in an event, where it is. Readers search the events; the contract keeps no list.
/// @dev What an event proves: a publisher of this contract named that CID for that transaction. It does not prove that
/// the receipt is true. Readers must fetch the receipt by its CID and verify it.
interface IServiceAttestations is ITwoStepOwner {
    /// @notice One receipt to publish.
    /// @param wallet The wallet whose key signed.
    /// @param txHash The hash of the signed transaction, on whatever chain it was made for.
    /// @param ipfsCid The CIDv1 of the receipt, as text.
    struct Attestation {
        address wallet;
        bytes32 txHash;
        string ipfsCid;
    }

    /// @notice A receipt was published. The same transaction may appear more than once: the contract does not remember.
    event AttestationPublished(address indexed wallet, bytes32 indexed txHash, string ipfsCid);

    /// @notice The head of the service's audit log at this block. An anchored event can no longer be changed or removed
    /// unnoticed, nor any event before it: each event's hash covers all of them.
    /// @param sequence The number of the last event; 0 for an empty log.
    /// @param head The hash of that event.
    /// @param ipfsCid The CIDv1 of the document that says the same on IPFS, as text.
    event AuditLogAnchored(uint64 indexed sequence, bytes32 head, string ipfsCid);

    /// @notice An account may publish from now on.
    event PublisherAdded(address indexed publisher);

    /// @notice An account may no longer publish.
    event PublisherRemoved(address indexed publisher);

    /// @notice The caller may not publish.
    error NotPublisher(address caller);

    /// @notice A receipt without a CID points nowhere.
    error EmptyCid(bytes32 txHash);

    /// @notice A head without a CID points nowhere.
    error EmptyAnchorCid(uint64 sequence);

    /// @notice A batch without receipts publishes nothing.
    error EmptyBatch();

    /// @notice The account is a publisher already.
    error AlreadyPublisher(address publisher);

    /// @notice The account is no publisher.
    error UnknownPublisher(address publisher);

    /// @notice Publishes one receipt. Publishers only.
    /// @param wallet The wallet whose key signed.
    /// @param txHash The hash of the signed transaction.
    /// @param ipfsCid The CIDv1 of the receipt.
    function publish(address wallet, bytes32 txHash, string calldata ipfsCid) external;

    /// @notice Publishes several receipts, one event each, all or none. Publishers only.
    /// @param attestations The receipts, in the order of their events.
    function publishBatch(Attestation[] calldata attestations) external;

    /// @notice Anchors the head of the audit log. Publishers only. The contract keeps none of it and compares nothing:
    /// readers compare every anchor with the log they are shown.
    /// @param sequence The number of the last event.
    /// @param head The hash of that event.
    /// @param ipfsCid The CIDv1 of the document on IPFS.
    function anchorAuditLog(uint64 sequence, bytes32 head, string calldata ipfsCid) external;

    /// @notice Lets an account publish. Owner only.
    function addPublisher(address publisher) external;

    /// @notice Forbids an account to publish. Owner only. What it published stays.
    function removePublisher(address publisher) external;

    /// @notice Whether an account may publish.
    function isPublisher(address account) external view returns (bool);
}
