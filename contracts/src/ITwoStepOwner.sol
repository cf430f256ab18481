// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

/// @title An owner who passes the contract on in two steps
/// @notice A successor has to accept, so a mistyped address cannot take the contract away from everyone.
interface ITwoStepOwner {
    /// @notice The owner named a successor, who has not accepted yet.
    event OwnershipTransferStarted(address indexed owner, address indexed pendingOwner);

    /// @notice The successor accepted.
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    /// @notice The caller is not the owner.
    error NotOwner(address caller);

    /// @notice The caller is not the successor that the owner named.
    error NotPendingOwner(address caller);

    /// @notice A role cannot be given to the zero address.
    error ZeroAddress();

    /// @notice Names a successor, who must accept; naming the zero address takes the offer back. Owner only.
    function transferOwnership(address newOwner) external;

    /// @notice Takes the ownership that was offered. The named successor only.
    function acceptOwnership() external;

    /// @notice Who may call the functions that are for the owner only.
    function owner() external view returns (address);

    /// @notice Who may accept the ownership, or zero.
    function pendingOwner() external view returns (address);
}
