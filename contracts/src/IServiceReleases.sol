// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

import {ITwoStepOwner} from "./ITwoStepOwner.sol";

/// @title The public record of which builds may sign
/// @notice Perigee's builds are named in a signed list, `measurements.json`. Every version of that list is announced
/// here before it counts. The list in force at a block is the highest version that was announced at or before that
/// block and not withdrawn at or before it. A receipt is judged by the list in force at the block of its own event.
/// @dev What an announcement proves: the owner named that hash for that version, in that block, and no other list can
/// ever have that version. It does not prove that the builds are good, or that the list is signed: fetch it by its CID
/// and check hash and signature. Nothing is ever deleted or replaced, so anyone who watches the events sees every change.
interface IServiceReleases is ITwoStepOwner {
    /// @notice A list was announced.
    /// @param version One more than the version before; the first is 1.
    /// @param sha256 SHA-256 of the list's exact bytes.
    /// @param cid The CIDv1 of those bytes, one raw block, as text.
    event ReleaseAnnounced(uint64 indexed version, bytes32 sha256, string cid);

    /// @notice A list no longer counts for what is published from this block on. There is no way back.
    event ReleaseWithdrawn(uint64 indexed version);

    /// @notice Versions go up by one: none is left out, announced twice or taken back.
    error WrongVersion(uint64 given, uint64 expected);

    /// @notice A list without a hash cannot be checked.
    error EmptyHash(uint64 version);

    /// @notice A list without a CID cannot be found.
    error EmptyCid(uint64 version);

    /// @notice No list of this version was announced.
    error UnknownVersion(uint64 version);

    /// @notice The list was withdrawn before.
    error AlreadyWithdrawn(uint64 version);

    /// @notice Announces the next list. Owner only.
    /// @param version The version that the list itself names; `latestVersion() + 1`.
    /// @param sha256 SHA-256 of the list's exact bytes.
    /// @param cid The CIDv1 of those bytes.
    function announce(uint64 version, bytes32 sha256, string calldata cid) external;

    /// @notice Withdraws a list for good. Owner only. The highest version that is left is then in force.
    function withdraw(uint64 version) external;

    /// @notice The highest version that was announced, withdrawn or not; 0 before the first.
    function latestVersion() external view returns (uint64);

    /// @notice The highest version that was announced and not withdrawn; 0 when there is none.
    function versionInForce() external view returns (uint64);

    /// @notice What was announced for a version. Reverts for a version that was not.
    function release(uint64 version) external view returns (bytes32 sha256, string memory cid, bool withdrawn);
}
