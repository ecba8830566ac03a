// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

interface Receiver {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// For tests only: everything a token can do to make a careless reader credit money that never came.
contract HostileToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public symbol = "USDX";
    uint8 public decimals = 6;

    function balanceOf(address) external pure returns (uint256) {
        return type(uint256).max;
    }

    /// Says no without reverting: the receipt still tells of success.
    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }

    /// Tells of a transfer that never happened.
    function forge(address from, address to, uint256 amount) external {
        emit Transfer(from, to, amount);
    }

    function forgeThenRevert(address from, address to, uint256 amount) external {
        emit Transfer(from, to, amount);
        revert("changed my mind");
    }

    /// The event's name with other indexed fields: here all three, as ERC-721 has it.
    function forgeIndexed(address from, address to, uint256 amount) external {
        bytes32 topic = keccak256("Transfer(address,address,uint256)");
        assembly {
            log4(0, 0, topic, from, to, amount)
        }
    }

    /// Moves a real token out of this contract and swallows the failure where there is one.
    function moveQuietly(Receiver token, address to, uint256 amount) external {
        try token.transfer(to, amount) returns (bool) {} catch {}
    }

    /// Sends on the coin it got: a movement that no transaction names as its own value.
    function passOn(address payable to) external payable {
        (bool sent, ) = to.call{value: msg.value}("");
        require(sent);
    }
}
