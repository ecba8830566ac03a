// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// The play money of the local development networks, each of which gives it a symbol of its own: an ordinary ERC-20 with six decimals. Who deploys it may mint it.
contract DevDollar is ERC20 {
    error NotTheMinter(address caller);

    address public immutable minter = msg.sender;

    constructor(string memory symbol_) ERC20("Development Dollar", symbol_) {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        if (msg.sender != minter) revert NotTheMinter(msg.sender);
        _mint(to, amount);
    }
}
