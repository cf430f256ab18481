// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

import {ITwoStepOwner} from "./ITwoStepOwner.sol";

/// @title TwoStepOwner
/// @notice What both contracts share; see ITwoStepOwner.
abstract contract TwoStepOwner is ITwoStepOwner {
    /// @inheritdoc ITwoStepOwner
    address public owner;

    /// @inheritdoc ITwoStepOwner
    address public pendingOwner;

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    constructor(address initialOwner) {
        if (initialOwner == address(0)) revert ZeroAddress();
        owner = initialOwner;
        emit OwnershipTransferred(address(0), initialOwner);
    }

    /// @inheritdoc ITwoStepOwner
    function transferOwnership(address newOwner) external onlyOwner {
        pendingOwner = newOwner;
        emit OwnershipTransferStarted(msg.sender, newOwner);
    }

    /// @inheritdoc ITwoStepOwner
    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotPendingOwner(msg.sender);
        emit OwnershipTransferred(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }
}
