// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.20;

import {ITwoStepOwner} from "../src/ITwoStepOwner.sol";
import {ServiceAttestations} from "../src/ServiceAttestations.sol";
import {ServiceReleases} from "../src/ServiceReleases.sol";
import {vm} from "./Vm.sol";

/// @dev The same tests for both contracts.
abstract contract TwoStepOwnerTest {
    address internal constant OWNER = address(0xA11CE);
    ITwoStepOwner private owned;

    function deploy(address owner) internal virtual returns (ITwoStepOwner);

    function setUp() public {
        owned = deploy(OWNER);
    }

    function test_the_zero_address_cannot_own_it() public {
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwner.ZeroAddress.selector));
        deploy(address(0));
    }

    function testFuzz_nobody_else_passes_it_on(address caller, address successor) public {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwner.NotOwner.selector, caller));
        vm.prank(caller);
        owned.transferOwnership(successor);
    }

    function testFuzz_ownership_passes_only_when_accepted(address successor, address other) public {
        vm.assume(successor != OWNER && successor != address(0) && other != successor);
        vm.prank(OWNER);
        owned.transferOwnership(successor);
        require(owned.owner() == OWNER, "not yet");
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwner.NotPendingOwner.selector, other));
        vm.prank(other);
        owned.acceptOwnership();
        vm.prank(successor);
        owned.acceptOwnership();
        require(owned.owner() == successor && owned.pendingOwner() == address(0), "now");
    }

    function testFuzz_an_offer_of_ownership_can_be_taken_back(address successor) public {
        vm.assume(successor != address(0));
        vm.prank(OWNER);
        owned.transferOwnership(successor);
        vm.prank(OWNER);
        owned.transferOwnership(address(0));
        vm.expectRevert(abi.encodeWithSelector(ITwoStepOwner.NotPendingOwner.selector, successor));
        vm.prank(successor);
        owned.acceptOwnership();
    }
}

contract AttestationsOwnerTest is TwoStepOwnerTest {
    function deploy(address owner) internal override returns (ITwoStepOwner) {
        return new ServiceAttestations(owner, new address[](0));
    }
}

contract ReleasesOwnerTest is TwoStepOwnerTest {
    function deploy(address owner) internal override returns (ITwoStepOwner) {
        return new ServiceReleases(owner);
    }
}
