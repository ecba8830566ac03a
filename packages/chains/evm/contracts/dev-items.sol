// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// Play items of the local development network: an ordinary ERC-1155. Who deploys it may mint any number of any id.
contract DevItems is ERC1155 {
    error NotTheMinter(address caller);

    address public immutable minter = msg.sender;

    constructor() ERC1155("") {}

    function mint(address to, uint256 id, uint256 amount) external {
        if (msg.sender != minter) revert NotTheMinter(msg.sender);
        _mint(to, id, amount, "");
    }

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        if (msg.sender != minter) revert NotTheMinter(msg.sender);
        _mintBatch(to, ids, amounts, "");
    }
}
