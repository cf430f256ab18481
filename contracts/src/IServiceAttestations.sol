// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

/// @title The public pointer from a signed transaction to its receipt
/// @notice For every signature Perigee makes, a receipt (evidence of how the key was used) is stored on IPFS, and this
/// contract says once, in an event, where it is. Readers search the events; the contract keeps no list.
/// @dev What an event proves: a publisher of this contract named that CID for that transaction. It does not prove that
/// the receipt is true. Readers must fetch the receipt by its CID and verify it.
interface IServiceAttestations {
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

    /// @notice An account may publish from now on.
    event PublisherAdded(address indexed publisher);

    /// @notice An account may no longer publish.
    event PublisherRemoved(address indexed publisher);

    /// @notice The owner named a successor, who has not accepted yet.
    event OwnershipTransferStarted(address indexed owner, address indexed pendingOwner);

    /// @notice The successor accepted.
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    /// @notice The caller may not publish.
    error NotPublisher(address caller);

    /// @notice The caller is not the owner.
    error NotOwner(address caller);

    /// @notice The caller is not the successor that the owner named.
    error NotPendingOwner(address caller);

    /// @notice A role cannot be given to the zero address.
    error ZeroAddress();

    /// @notice A receipt without a CID points nowhere.
    error EmptyCid(bytes32 txHash);

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

    /// @notice Lets an account publish. Owner only.
    function addPublisher(address publisher) external;

    /// @notice Forbids an account to publish. Owner only. What it published stays.
    function removePublisher(address publisher) external;

    /// @notice Names a successor, who must accept; naming the zero address takes the offer back. Owner only.
    function transferOwnership(address newOwner) external;

    /// @notice Takes the ownership that was offered. The named successor only.
    function acceptOwnership() external;

    /// @notice Who adds and removes publishers.
    function owner() external view returns (address);

    /// @notice Who may accept the ownership, or zero.
    function pendingOwner() external view returns (address);

    /// @notice Whether an account may publish.
    function isPublisher(address account) external view returns (bool);
}
