// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

import {IServiceReleases} from "./IServiceReleases.sol";
import {TwoStepOwner} from "./TwoStepOwner.sol";

/// @title ServiceReleases
/// @notice Announces and withdraws lists of builds; see IServiceReleases.
/// @dev No proxy, no self-destruct, no payable function. What was announced is never changed, except to be withdrawn.
contract ServiceReleases is IServiceReleases, TwoStepOwner {
    struct Announced {
        bytes32 sha256;
        bool withdrawn;
        string cid;
    }

    /// @inheritdoc IServiceReleases
    uint64 public latestVersion;

    mapping(uint64 => Announced) private announced;

    /// @param initialOwner Who may announce and withdraw; best a multisig, and not the key that signs the lists.
    constructor(address initialOwner) TwoStepOwner(initialOwner) {}

    /// @inheritdoc IServiceReleases
    function announce(uint64 version, bytes32 listHash, string calldata cid) external onlyOwner {
        uint64 expected = latestVersion + 1;
        if (version != expected) revert WrongVersion(version, expected);
        if (listHash == bytes32(0)) revert EmptyHash(version);
        if (bytes(cid).length == 0) revert EmptyCid(version);
        latestVersion = version;
        announced[version] = Announced({sha256: listHash, withdrawn: false, cid: cid});
        emit ReleaseAnnounced(version, listHash, cid);
    }

    /// @inheritdoc IServiceReleases
    function withdraw(uint64 version) external onlyOwner {
        Announced storage one = _announced(version);
        if (one.withdrawn) revert AlreadyWithdrawn(version);
        one.withdrawn = true;
        emit ReleaseWithdrawn(version);
    }

    /// @inheritdoc IServiceReleases
    function versionInForce() external view returns (uint64) {
        for (uint64 version = latestVersion; version > 0; --version) {
            if (!announced[version].withdrawn) return version;
        }
        return 0;
    }

    /// @inheritdoc IServiceReleases
    function release(uint64 version) external view returns (bytes32, string memory, bool) {
        Announced storage one = _announced(version);
        return (one.sha256, one.cid, one.withdrawn);
    }

    function _announced(uint64 version) private view returns (Announced storage) {
        if (version == 0 || version > latestVersion) revert UnknownVersion(version);
        return announced[version];
    }
}
