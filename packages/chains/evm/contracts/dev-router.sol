// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// A router of the form of Uniswap's Router02 with one pool of two tokens, to try trades on: the product of what it has of both never falls. Whoever sends
/// tokens to it adds to the pool, and nobody gets them back but by trading.
contract DevRouter {
    IERC20 public immutable one;
    IERC20 public immutable other;

    constructor(IERC20 one_, IERC20 other_) {
        one = one_;
        other = other_;
    }

    function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline)
        external
        returns (uint256[] memory)
    {
        (uint256 has, uint256 hasOut) = pool(path, deadline);
        uint256 amountOut = (hasOut * amountIn) / (has + amountIn);
        require(amountOut >= amountOutMin, "too little is got");
        return trade(amountIn, amountOut, path, to);
    }

    function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] calldata path, address to, uint256 deadline)
        external
        returns (uint256[] memory)
    {
        (uint256 has, uint256 hasOut) = pool(path, deadline);
        require(amountOut < hasOut, "the pool has less");
        uint256 amountIn = (has * amountOut) / (hasOut - amountOut) + 1;
        require(amountIn <= amountInMax, "too much is given");
        return trade(amountIn, amountOut, path, to);
    }

    function pool(address[] calldata path, uint256 deadline) private view returns (uint256 has, uint256 hasOut) {
        require(block.timestamp <= deadline, "the deadline has passed");
        require(path.length == 2 && path[0] != path[1], "there is one pool");
        return (reserve(path[0]), reserve(path[1]));
    }

    function reserve(address token) private view returns (uint256) {
        require(token == address(one) || token == address(other), "the pool has no such token");
        return IERC20(token).balanceOf(address(this));
    }

    function trade(uint256 amountIn, uint256 amountOut, address[] calldata path, address to) private returns (uint256[] memory amounts) {
        require(IERC20(path[0]).transferFrom(msg.sender, address(this), amountIn), "nothing was given");
        require(IERC20(path[1]).transfer(to, amountOut), "nothing was got");
        amounts = new uint256[](2);
        amounts[0] = amountIn;
        amounts[1] = amountOut;
    }
}
