// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

import {IServiceReleases} from "../src/IServiceReleases.sol";
import {ITwoStepOwner} from "../src/ITwoStepOwner.sol";
import {ServiceReleases} from "../src/ServiceReleases.sol";
import {Vm, vm} from "./Vm.sol";

/// @dev Titles are the function names; every argument is fuzzed.
contract ServiceReleasesTest {
    ServiceReleases private releases;
    address private constant OWNER = address(0xA11CE);

    function setUp() public {
        releases = new ServiceReleases(OWNER);
    }

    function testFuzz_announce_emits_and_keeps_exactly_what_it_was_given(bytes32 hash, string calldata cid) public {
        vm.assume(hash != bytes32(0) && bytes(cid).length > 0);
        vm.recordLogs();
        vm.prank(OWNER);
        releases.announce(1, hash, cid);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        require(logs.length == 1 && logs[0].topics.length == 2, "one event");
        require(logs[0].topics[0] == keccak256("ReleaseAnnounced(uint64,bytes32,string)"), "event");
        require(logs[0].topics[1] == bytes32(uint256(1)), "version");
        require(keccak256(logs[0].data) == keccak256(abi.encode(hash, cid)), "hash and cid");
        (bytes32 kept, string memory keptCid, bool withdrawn) = releases.release(1);
        require(kept == hash && keccak256(bytes(keptCid)) == keccak256(bytes(cid)) && !withdrawn, "kept");
        require(releases.latestVersion() == 1 && releases.versionInForce() == 1, "in force");
    }

    function testFuzz_announce_reverts_for_any_version_but_the_next(uint64 version, uint8 before) public {
        vm.assume(version != uint64(before) + 1);
        announceAll(before);
        vm.expectRevert(abi.encodeWithSelector(IServiceReleases.WrongVersion.selector, version, uint64(before) + 1));
        vm.prank(OWNER);
        releases.announce(version, keccak256("list"), "bafk");
    }

    function testFuzz_announce_reverts_for_anyone_but_the_owner(address caller, bytes32 hash) public {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwner.NotOwner.selector, caller));
        vm.prank(caller);
        releases.announce(1, hash, "bafk");
    }

    function test_announce_reverts_without_a_hash_or_a_cid() public {
        vm.expectRevert(abi.encodeWithSelector(IServiceReleases.EmptyHash.selector, 1));
        vm.prank(OWNER);
        releases.announce(1, bytes32(0), "bafk");
        vm.expectRevert(abi.encodeWithSelector(IServiceReleases.EmptyCid.selector, 1));
        vm.prank(OWNER);
        releases.announce(1, keccak256("list"), "");
    }

    function testFuzz_withdraw_works_once_and_keeps_the_rest(uint8 count, uint8 chosen) public {
        vm.assume(count > 0);
        uint64 version = uint64(chosen % count) + 1;
        announceAll(count);
        vm.recordLogs();
        vm.prank(OWNER);
        releases.withdraw(version);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        require(logs.length == 1 && logs[0].topics[0] == keccak256("ReleaseWithdrawn(uint64)"), "event");
        require(logs[0].topics[1] == bytes32(uint256(version)) && logs[0].data.length == 0, "version");
        for (uint64 one = 1; one <= count; ++one) {
            (bytes32 hash,, bool withdrawn) = releases.release(one);
            require(withdrawn == (one == version) && hash == keccak256(abi.encode(one)), "this one only");
        }
        require(releases.versionInForce() == (version == count ? count - 1 : count), "in force");
        vm.expectRevert(abi.encodeWithSelector(IServiceReleases.AlreadyWithdrawn.selector, version));
        vm.prank(OWNER);
        releases.withdraw(version);
    }

    function testFuzz_withdraw_reverts_for_anyone_but_the_owner(address caller) public {
        vm.assume(caller != OWNER);
        announceAll(1);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwner.NotOwner.selector, caller));
        vm.prank(caller);
        releases.withdraw(1);
    }

    function testFuzz_a_version_that_was_not_announced_is_unknown(uint8 count, uint64 version) public {
        vm.assume(version == 0 || version > count);
        announceAll(count);
        bytes memory refusal = abi.encodeWithSelector(IServiceReleases.UnknownVersion.selector, version);
        vm.expectRevert(refusal);
        vm.prank(OWNER);
        releases.withdraw(version);
        vm.expectRevert(refusal);
        releases.release(version);
    }

    function testFuzz_a_withdrawn_version_is_not_announced_again(bytes32 hash) public {
        announceAll(1);
        vm.prank(OWNER);
        releases.withdraw(1);
        vm.expectRevert(abi.encodeWithSelector(IServiceReleases.WrongVersion.selector, 1, 2));
        vm.prank(OWNER);
        releases.announce(1, hash, "bafk");
    }

    function announceAll(uint64 count) private {
        for (uint64 version = 1; version <= count; ++version) {
            vm.prank(OWNER);
            releases.announce(version, keccak256(abi.encode(version)), "bafk");
        }
    }
}
