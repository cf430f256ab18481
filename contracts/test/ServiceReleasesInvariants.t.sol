// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

import {ServiceReleases} from "../src/ServiceReleases.sol";
import {vm} from "./Vm.sol";

/// @dev Calls the contract in any order, as its owner and as strangers, and remembers what succeeded.
contract Actor {
    ServiceReleases public immutable releases;
    address public constant OWNER = address(0xA11CE);
    bytes32[] public hashes;
    mapping(uint64 => bool) public withdrawn;
    bool public strangerSucceeded;

    constructor() {
        releases = new ServiceReleases(OWNER);
    }

    function announce(uint8 version, bytes32 hash) external {
        vm.prank(OWNER);
        try releases.announce(version, hash, "bafk") {
            hashes.push(hash);
        } catch {}
    }

    function announceNext(bytes32 hash) external {
        uint64 version = releases.latestVersion() + 1;
        vm.prank(OWNER);
        try releases.announce(version, hash, "bafk") {
            hashes.push(hash);
        } catch {}
    }

    function withdraw(uint8 choice) external {
        uint64 version = choice % 32; // versions that exist, most of the time
        vm.prank(OWNER);
        try releases.withdraw(version) {
            withdrawn[version] = true;
        } catch {}
    }

    function callAsStranger(address caller, uint64 version, bytes32 hash) external {
        if (caller == OWNER) return;
        vm.prank(caller);
        try releases.announce(version, hash, "bafk") {
            strangerSucceeded = true;
        } catch {}
        vm.prank(caller);
        try releases.withdraw(version) {
            strangerSucceeded = true;
        } catch {}
    }

    function announcedCount() external view returns (uint64) {
        return uint64(hashes.length);
    }
}

contract ServiceReleasesInvariants {
    Actor private actor;

    function setUp() public {
        actor = new Actor();
    }

    /// @dev Forge asks this which contracts to call.
    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(actor);
    }

    function invariant_versions_go_up_by_one_from_one() public view {
        require(actor.releases().latestVersion() == actor.announcedCount(), "a version was left out or counted twice");
    }

    function invariant_what_was_announced_never_changes_and_only_a_withdrawal_withdraws() public view {
        uint64 inForce = 0;
        for (uint64 version = 1; version <= actor.announcedCount(); ++version) {
            (bytes32 hash,, bool withdrawn) = actor.releases().release(version);
            require(hash == actor.hashes(version - 1), "another hash");
            require(withdrawn == actor.withdrawn(version), "another state");
            if (!withdrawn) inForce = version;
        }
        require(actor.releases().versionInForce() == inForce, "another version in force");
    }

    function invariant_strangers_change_nothing() public view {
        require(!actor.strangerSucceeded(), "a stranger announced or withdrew");
        require(actor.releases().owner() == actor.OWNER(), "another owner");
    }
}
