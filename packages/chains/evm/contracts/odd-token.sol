// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// For tests only: a token that counts rightly and behaves as the careless, the old and the hostile ones do.
contract OddToken {
    enum Manner {
        Plain,
        AnswersNothing,
        RefusesWithFalse,
        Reverts,
        SaysYesAndKeeps,
        TakesFee,
        CallsBack,
        FloodsAnswer,
        AllowsAnyone
    }

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public frozen;
    uint256 public totalSupply;
    Manner public manner;
    address public calledBack;
    bytes public callBack;
    bool private isCallingBack;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
    }

    function setManner(Manner manner_, address calledBack_, bytes calldata callBack_) external {
        (manner, calledBack, callBack) = (manner_, calledBack_, callBack_);
    }

    function setFrozen(address owner, bool isFrozen) external {
        frozen[owner] = isFrozen;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external {
        if (manner != Manner.AllowsAnyone) {
            require(allowance[from][msg.sender] >= amount, "not allowed");
            if (manner != Manner.RefusesWithFalse && manner != Manner.SaysYesAndKeeps) allowance[from][msg.sender] -= amount;
        }
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        require(manner != Manner.Reverts && !frozen[from], "frozen");
        if (manner == Manner.RefusesWithFalse) _answer(0, 32);
        if (manner == Manner.SaysYesAndKeeps) _answer(1, 32);
        uint256 fee = manner == Manner.TakesFee ? amount / 10 : 0;
        require(balanceOf[from] >= amount, "too little");
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        totalSupply -= fee;
        emit Transfer(from, to, amount - fee);
        if (manner == Manner.CallsBack && !isCallingBack) {
            isCallingBack = true;
            (bool isDone, ) = calledBack.call(callBack);
            isCallingBack = false;
            require(isDone, "nobody there");
        }
        _answer(1, manner == Manner.AnswersNothing ? 0 : manner == Manner.FloodsAnswer ? 100_000 : 32);
    }

    function _answer(uint256 word, uint256 length) private pure {
        assembly {
            mstore(0, word)
            return(0, length)
        }
    }
}
