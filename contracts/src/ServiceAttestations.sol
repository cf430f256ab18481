// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

import {IServiceAttestations} from "./IServiceAttestations.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title ServiceAttestations
/// @notice Publishes where receipts are; see IServiceAttestations.
/// @dev No proxy, no self-destruct, no payable function, no storage per receipt: the events are the record.
contract ServiceAttestations is IServiceAttestations, TwoStepOwner {
    /// @inheritdoc IServiceAttestations
    mapping(address => bool) public isPublisher;

    modifier onlyPublisher() {
        if (!isPublisher[msg.sender]) revert NotPublisher(msg.sender);
        _;
    }

    /// @param initialOwner Who may add and remove publishers; usually not the deployer's key.
    /// @param publishers Who may publish from the start.
    constructor(address initialOwner, address[] memory publishers) TwoStepOwner(initialOwner) {
        for (uint256 i = 0; i < publishers.length; ++i) _addPublisher(publishers[i]);
    }

    /// @inheritdoc IServiceAttestations
    function publish(address wallet, bytes32 txHash, string calldata ipfsCid) external onlyPublisher {
        _publish(wallet, txHash, ipfsCid);
    }

    /// @inheritdoc IServiceAttestations
    function publishBatch(Attestation[] calldata attestations) external onlyPublisher {
        uint256 count = attestations.length;
        if (count == 0) revert EmptyBatch();
        for (uint256 i = 0; i < count; ++i) {
            Attestation calldata one = attestations[i];
            _publish(one.wallet, one.txHash, one.ipfsCid);
        }
    }

    /// @inheritdoc IServiceAttestations
    function anchorAuditLog(uint64 sequence, bytes32 head, string calldata ipfsCid) external onlyPublisher {
        if (bytes(ipfsCid).length == 0) revert EmptyAnchorCid(sequence);
        emit AuditLogAnchored(sequence, head, ipfsCid);
    }

    /// @inheritdoc IServiceAttestations
    function addPublisher(address publisher) external onlyOwner {
        _addPublisher(publisher);
    }

    /// @inheritdoc IServiceAttestations
    function removePublisher(address publisher) external onlyOwner {
        if (!isPublisher[publisher]) revert UnknownPublisher(publisher);
        isPublisher[publisher] = false;
        emit PublisherRemoved(publisher);
    }

    function _publish(address wallet, bytes32 txHash, string calldata ipfsCid) private {
        if (bytes(ipfsCid).length == 0) revert EmptyCid(txHash);
        emit AttestationPublished(wallet, txHash, ipfsCid);
    }

    function _addPublisher(address publisher) private {
        if (publisher == address(0)) revert ZeroAddress();
        if (isPublisher[publisher]) revert AlreadyPublisher(publisher);
        isPublisher[publisher] = true;
        emit PublisherAdded(publisher);
    }
}
