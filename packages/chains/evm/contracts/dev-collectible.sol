// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// Play collectibles of the local development network: an ordinary ERC-721. Who deploys it may mint the next one.
contract DevCollectible is ERC721 {
    error NotTheMinter(address caller);

    address public immutable minter = msg.sender;
    uint256 public minted;

    constructor() ERC721("Development Collectible", "DEVC") {}

    function mint(address to) external returns (uint256 id) {
        if (msg.sender != minter) revert NotTheMinter(msg.sender);
        id = ++minted;
        _mint(to, id);
    }
}
