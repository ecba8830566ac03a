// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

interface Token {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// Brings what many addresses hold to one address. That address is written into the code and nothing can change it: there is no owner, no storage and no upgrade.
/// Anybody may call, since whoever calls decides only when, and pays for it.
abstract contract ToTarget {
    address public immutable target;

    /// Not all that was asked of a source has arrived: nothing, or less where the token takes a fee.
    event Missed(address indexed token, address indexed source, uint256 asked, uint256 arrived);

    error NoTarget();
    error ListsDiffer(uint256 sources, uint256 amounts);
    error NotWhole(address source, uint256 asked, uint256 arrived);

    constructor(address target_) {
        if (target_ == address(0)) revert NoTarget();
        target = target_;
    }

    /// Takes `amounts[i]` of the token from `sources[i]`, for each i. A source that cannot give is passed over, and `Missed` tells of it. Returns what arrived from each.
    function collect(address token, address[] calldata sources, uint256[] calldata amounts) external returns (uint256[] memory) {
        return _collect(token, sources, amounts, false);
    }

    /// The same, or nothing at all: reverts where not everything arrives.
    function collectWhole(address token, address[] calldata sources, uint256[] calldata amounts) external returns (uint256[] memory) {
        return _collect(token, sources, amounts, true);
    }

    /// Tries to move `amount` from the source to the target; whether it has is seen by what the target holds.
    function _take(address token, address source, uint256 amount) internal virtual;

    function _heldByTarget(address token) internal view virtual returns (uint256) {
        return Token(token).balanceOf(target);
    }

    /// Calls and looks at neither outcome nor answer: tokens answer nothing, or no, or yes where nothing moved, and a long answer would cost gas to copy.
    function _attempt(address called, uint256 value, bytes memory data) internal {
        assembly ("memory-safe") {
            pop(call(gas(), called, value, add(data, 32), mload(data), 0, 0))
        }
    }

    function _collect(
        address token,
        address[] calldata sources,
        uint256[] calldata amounts,
        bool isWhole
    ) private returns (uint256[] memory arrived) {
        if (sources.length != amounts.length) revert ListsDiffer(sources.length, amounts.length);
        arrived = new uint256[](sources.length);
        uint256 before = _heldByTarget(token);
        for (uint256 i = 0; i < sources.length; i++) {
            _take(token, sources[i], amounts[i]);
            uint256 held = _heldByTarget(token);
            arrived[i] = held > before ? held - before : 0;
            before = held;
            if (arrived[i] >= amounts[i]) continue;
            if (isWhole) revert NotWhole(sources[i], amounts[i], arrived[i]);
            emit Missed(token, sources[i], amounts[i], arrived[i]);
        }
    }
}
