// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Token, ToTarget} from "./to-target.sol";

/// Pulls ERC-20 tokens from addresses that allowed it to, up to what they allowed.
contract Collector is ToTarget {
    constructor(address target_) ToTarget(target_) {}

    function _take(address token, address source, uint256 amount) internal override {
        _attempt(token, 0, abi.encodeCall(Token.transferFrom, (source, target, amount)));
    }
}
