// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// An exchange of the local development networks, to try calls of contracts on: it takes one token by an allowance and gives as much of another one.
contract DevExchange {
    IERC20 public immutable taken;
    IERC20 public immutable given;

    constructor(IERC20 taken_, IERC20 given_) {
        taken = taken_;
        given = given_;
    }

    function swap(uint256 amount) external payable {
        require(amount > 0, "nothing to swap");
        taken.transferFrom(msg.sender, address(this), amount);
        given.transfer(msg.sender, amount);
    }
}
