// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Token, ToTarget} from "./to-target.sol";

/// Collects from addresses that have delegated to it (EIP-7702), without allowances: ERC-20 tokens, and the chain's own coin, which the zero address stands for.
/// The same code runs in two places: at its own address, where `collect` is called, and in the name of each source, where it answers to itself alone.
contract Sweeper is ToTarget {
    address private immutable self = address(this);

    error OnlyAtItself();
    error OnlyByItself();

    constructor(address target_) ToTarget(target_) {}

    /// Runs in the name of a source: gives to the target and to nobody else.
    function give(address token, uint256 amount) external {
        if (msg.sender != self) revert OnlyByItself();
        if (token == address(0)) _attempt(target, amount, "");
        else _attempt(token, 0, abi.encodeCall(Token.transfer, (target, amount)));
    }

    /// An address goes on being paid while it delegates: in coin, and in tokens of collections, which ask contracts whether they can hold them.
    receive() external payable {}

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155BatchReceived.selector;
    }

    function _take(address token, address source, uint256 amount) internal override {
        if (address(this) != self) revert OnlyAtItself();
        _attempt(source, 0, abi.encodeCall(this.give, (token, amount)));
    }

    function _heldByTarget(address token) internal view override returns (uint256) {
        return token == address(0) ? target.balance : super._heldByTarget(token);
    }
}
