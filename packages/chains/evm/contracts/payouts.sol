// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

interface Paying {
    function balanceOf(address owner) external view returns (uint256);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// Pays many recipients what the call says, all of them or none. It pays only what whoever calls sends along, or lets it take of a token: so there is nothing in
/// it to own, and what one has allowed it nobody else can spend. It has no storage, no owner and no upgrade, and holds nothing when a call is over.
contract Payouts {
    /// Enough for accounts that are contracts to take a payment in, and no more: a recipient that asks for more has the whole reverted, and burns little.
    uint256 private constant GAS_FOR_RECIPIENT = 50_000;

    error ListsDiffer(uint256 recipients, uint256 amounts);
    error OtherSum(uint256 given);
    error NotPaid(uint256 line);

    /// Pays the coin that is sent along. Reverts unless the amounts are exactly that, and every recipient takes its own.
    function payCoin(address[] calldata recipients, uint256[] calldata amounts) external payable {
        if (recipients.length != amounts.length) revert ListsDiffer(recipients.length, amounts.length);
        uint256 left = msg.value;
        for (uint256 i = 0; i < recipients.length; i++) {
            if (amounts[i] > left) revert OtherSum(msg.value);
            left -= amounts[i];
            if (!_call(GAS_FOR_RECIPIENT, recipients[i], amounts[i], "")) revert NotPaid(i);
        }
        if (left != 0) revert OtherSum(msg.value);
    }

    /// Pays a token of whoever calls, up to what that account allowed. Reverts unless every recipient has exactly as much more as its amount, and whoever calls
    /// exactly the sum less: what a token answers counts for nothing.
    function payToken(address token, address[] calldata recipients, uint256[] calldata amounts) external {
        if (recipients.length != amounts.length) revert ListsDiffer(recipients.length, amounts.length);
        uint256 expected = Paying(token).balanceOf(msg.sender);
        for (uint256 i = 0; i < recipients.length; i++) {
            uint256 held = Paying(token).balanceOf(recipients[i]);
            _call(gasleft(), token, 0, abi.encodeCall(Paying.transferFrom, (msg.sender, recipients[i], amounts[i])));
            if (Paying(token).balanceOf(recipients[i]) != held + amounts[i]) revert NotPaid(i);
            expected -= amounts[i];
        }
        if (Paying(token).balanceOf(msg.sender) != expected) revert OtherSum(expected);
    }

    /// Calls and copies no answer: a long one would cost gas.
    function _call(uint256 gasGiven, address called, uint256 value, bytes memory data) private returns (bool isDone) {
        assembly ("memory-safe") {
            isDone := call(gasGiven, called, value, add(data, 32), mload(data), 0, 0)
        }
    }
}
