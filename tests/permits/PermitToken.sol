// SPDX-License-Identifier: AGPL-3.0-only
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// OpenZeppelin's token with EIP-2612, for tests. Anyone may mint.
contract PermitToken is ERC20Permit {
    constructor() ERC20("Permit token", "PT") ERC20Permit("Permit token") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
