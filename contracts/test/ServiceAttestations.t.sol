// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

import {IServiceAttestations} from "../src/IServiceAttestations.sol";
import {ITwoStepOwner} from "../src/ITwoStepOwner.sol";
import {ServiceAttestations} from "../src/ServiceAttestations.sol";
import {Vm, vm} from "./Vm.sol";

/// @dev Titles are the function names; every argument is fuzzed.
contract ServiceAttestationsTest {
    ServiceAttestations private attestations;
    address private constant OWNER = address(0xA11CE);
    address private constant PUBLISHER = address(0xB0B);
    bytes32 private constant PUBLISHED = keccak256("AttestationPublished(address,bytes32,string)");

    function setUp() public {
        address[] memory publishers = new address[](1);
        publishers[0] = PUBLISHER;
        attestations = new ServiceAttestations(OWNER, publishers);
    }

    function testFuzz_publish_emits_exactly_what_it_was_given(address wallet, bytes32 txHash, string calldata cid) public {
        vm.assume(bytes(cid).length > 0);
        vm.recordLogs();
        vm.prank(PUBLISHER);
        attestations.publish(wallet, txHash, cid);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        require(logs.length == 1, "one event");
        requirePublished(logs[0], wallet, txHash, cid);
    }

    function testFuzz_publishBatch_emits_one_event_each_in_order(bytes32 seed, uint8 size) public {
        vm.assume(size > 0);
        IServiceAttestations.Attestation[] memory batch = batchOf(seed, size);
        vm.recordLogs();
        vm.prank(PUBLISHER);
        attestations.publishBatch(batch);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        require(logs.length == size, "one event each");
        for (uint256 i = 0; i < size; ++i) requirePublished(logs[i], batch[i].wallet, batch[i].txHash, batch[i].ipfsCid);
    }

    function testFuzz_publish_writes_no_storage(bytes32 seed, uint8 size) public {
        vm.assume(size > 0);
        IServiceAttestations.Attestation[] memory batch = batchOf(seed, size);
        vm.record();
        vm.prank(PUBLISHER);
        attestations.publishBatch(batch);
        (, bytes32[] memory writes) = vm.accesses(address(attestations));
        require(writes.length == 0, "no storage per receipt");
    }

    function testFuzz_publish_reverts_for_anyone_but_a_publisher(address caller, bytes32 txHash) public {
        vm.assume(caller != PUBLISHER);
        vm.expectRevert(abi.encodeWithSelector(IServiceAttestations.NotPublisher.selector, caller));
        vm.prank(caller);
        attestations.publish(caller, txHash, "bafy");
    }

    function testFuzz_publishBatch_reverts_for_anyone_but_a_publisher(address caller, bytes32 seed) public {
        vm.assume(caller != PUBLISHER);
        IServiceAttestations.Attestation[] memory batch = batchOf(seed, 2);
        vm.expectRevert(abi.encodeWithSelector(IServiceAttestations.NotPublisher.selector, caller));
        vm.prank(caller);
        attestations.publishBatch(batch);
    }

    function testFuzz_publish_reverts_without_a_cid(bytes32 txHash) public {
        vm.expectRevert(abi.encodeWithSelector(IServiceAttestations.EmptyCid.selector, txHash));
        vm.prank(PUBLISHER);
        attestations.publish(PUBLISHER, txHash, "");
    }

    function testFuzz_anchorAuditLog_emits_exactly_what_it_was_given(uint64 sequence, bytes32 head, string calldata cid)
        public
    {
        vm.assume(bytes(cid).length > 0);
        vm.recordLogs();
        vm.record();
        vm.prank(PUBLISHER);
        attestations.anchorAuditLog(sequence, head, cid);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        (, bytes32[] memory writes) = vm.accesses(address(attestations));
        require(logs.length == 1 && writes.length == 0, "one event, no storage");
        require(logs[0].topics.length == 2, "two topics");
        require(logs[0].topics[0] == keccak256("AuditLogAnchored(uint64,bytes32,string)"), "the event");
        require(logs[0].topics[1] == bytes32(uint256(sequence)), "the sequence");
        require(keccak256(logs[0].data) == keccak256(abi.encode(head, cid)), "head and CID");
    }

    function testFuzz_anchorAuditLog_reverts_for_anyone_but_a_publisher(address caller, bytes32 head) public {
        vm.assume(caller != PUBLISHER);
        vm.expectRevert(abi.encodeWithSelector(IServiceAttestations.NotPublisher.selector, caller));
        vm.prank(caller);
        attestations.anchorAuditLog(1, head, "bafk");
    }

    function testFuzz_anchorAuditLog_reverts_without_a_cid(uint64 sequence, bytes32 head) public {
        vm.expectRevert(abi.encodeWithSelector(IServiceAttestations.EmptyAnchorCid.selector, sequence));
        vm.prank(PUBLISHER);
        attestations.anchorAuditLog(sequence, head, "");
    }

    function testFuzz_publishBatch_is_all_or_nothing(bytes32 seed, uint8 size, uint8 bad) public {
        vm.assume(size > 0);
        IServiceAttestations.Attestation[] memory batch = batchOf(seed, size);
        IServiceAttestations.Attestation memory broken = batch[bad % size];
        broken.ipfsCid = "";
        vm.expectRevert(abi.encodeWithSelector(IServiceAttestations.EmptyCid.selector, broken.txHash));
        vm.prank(PUBLISHER);
        attestations.publishBatch(batch);
    }

    function test_publishBatch_reverts_when_empty() public {
        vm.expectRevert(abi.encodeWithSelector(IServiceAttestations.EmptyBatch.selector));
        vm.prank(PUBLISHER);
        attestations.publishBatch(new IServiceAttestations.Attestation[](0));
    }

    function testFuzz_the_owner_adds_and_removes_publishers(address account) public {
        vm.assume(account != address(0) && account != PUBLISHER);
        vm.prank(OWNER);
        attestations.addPublisher(account);
        require(attestations.isPublisher(account), "added");
        vm.expectRevert(abi.encodeWithSelector(IServiceAttestations.AlreadyPublisher.selector, account));
        vm.prank(OWNER);
        attestations.addPublisher(account);
        vm.prank(OWNER);
        attestations.removePublisher(account);
        require(!attestations.isPublisher(account), "removed");
        vm.expectRevert(abi.encodeWithSelector(IServiceAttestations.UnknownPublisher.selector, account));
        vm.prank(OWNER);
        attestations.removePublisher(account);
    }

    function testFuzz_nobody_else_changes_publishers(address caller, address account) public {
        vm.assume(caller != OWNER);
        bytes memory refusal = abi.encodeWithSelector(ITwoStepOwner.NotOwner.selector, caller);
        vm.expectRevert(refusal);
        vm.prank(caller);
        attestations.addPublisher(account);
        vm.expectRevert(refusal);
        vm.prank(caller);
        attestations.removePublisher(PUBLISHER);
    }

    function test_the_zero_address_gets_no_role() public {
        bytes memory refusal = abi.encodeWithSelector(ITwoStepOwner.ZeroAddress.selector);
        vm.expectRevert(refusal);
        vm.prank(OWNER);
        attestations.addPublisher(address(0));
        vm.expectRevert(refusal);
        new ServiceAttestations(address(0), new address[](0));
    }

    function batchOf(bytes32 seed, uint256 size) private pure returns (IServiceAttestations.Attestation[] memory batch) {
        batch = new IServiceAttestations.Attestation[](size);
        for (uint256 i = 0; i < size; ++i) {
            bytes32 txHash = keccak256(abi.encode(seed, i));
            batch[i] = IServiceAttestations.Attestation({
                wallet: address(uint160(uint256(txHash))),
                txHash: txHash,
                ipfsCid: string(abi.encodePacked("bafkrei", txHash))
            });
        }
    }

    function requirePublished(Vm.Log memory log, address wallet, bytes32 txHash, string memory cid) private view {
        require(log.emitter == address(attestations), "emitter");
        require(log.topics.length == 3 && log.topics[0] == PUBLISHED, "event");
        require(log.topics[1] == bytes32(uint256(uint160(wallet))) && log.topics[2] == txHash, "indexed");
        require(keccak256(bytes(abi.decode(log.data, (string)))) == keccak256(bytes(cid)), "cid");
    }
}
