// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

/// @dev The few of Foundry's cheat codes that these tests use.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function prank(address caller) external;
    function assume(bool condition) external;
    function expectRevert(bytes calldata revertData) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function record() external;
    function accesses(address target) external returns (bytes32[] memory reads, bytes32[] memory writes);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
