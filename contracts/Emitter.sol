// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

struct Log {
    bytes32[] topics;
    bytes data;
}

/// Emits any log at will, and answers any call at will: the answer to a selector is set with `answer`.
contract Emitter {
    struct Answer {
        bool known;
        bool reverts;
        bytes data;
    }

    mapping(bytes4 => Answer) private answers;

    function emitLog(bytes32[] memory topics, bytes memory data) public {
        uint256 count = topics.length;
        assembly {
            let size := mload(data)
            let start := add(data, 32)
            let topic := add(topics, 32)
            switch count
            case 0 { log0(start, size) }
            case 1 { log1(start, size, mload(topic)) }
            case 2 { log2(start, size, mload(topic), mload(add(topic, 32))) }
            case 3 { log3(start, size, mload(topic), mload(add(topic, 32)), mload(add(topic, 64))) }
            case 4 {
                log4(start, size, mload(topic), mload(add(topic, 32)), mload(add(topic, 64)), mload(add(topic, 96)))
            }
            default { revert(0, 0) }
        }
    }

    function emitLogs(Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; i++) emitLog(logs[i].topics, logs[i].data);
    }

    /// What this contract returns, or reverts with, to any call of `selector`.
    function answer(bytes4 selector, bool reverts, bytes calldata data) external {
        answers[selector] = Answer(true, reverts, data);
    }

    fallback() external {
        Answer storage found = answers[msg.sig];
        if (!found.known) revert();
        bytes memory data = found.data;
        if (found.reverts) {
            assembly {
                revert(add(data, 32), mload(data))
            }
        }
        assembly {
            return(add(data, 32), mload(data))
        }
    }
}

/// Transfer logs by the thousand without storage: 1,900 gas each. Every token belongs to whoever got the last call.
contract Volume721 {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    string public constant name = "Volume";
    string public constant symbol = "VOL";
    address private holder;

    function mint(address to, uint256 first, uint256 count) external {
        transfer(address(0), to, first, count);
    }

    function move(address to, uint256 first, uint256 count) external {
        transfer(holder, to, first, count);
    }

    function ownerOf(uint256) external view returns (address) {
        return holder;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function transfer(address from, address to, uint256 first, uint256 count) private {
        holder = to;
        for (uint256 id = first; id < first + count; id++) emit Transfer(from, to, id);
    }
}

/// Emits the events of both standards and claims both by ERC-165.
contract Both {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event TransferSingle(
        address indexed operator,
        address indexed from,
        address indexed to,
        uint256 id,
        uint256 value
    );

    string public constant name = "Both";
    string public constant symbol = "BTH";
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => mapping(address => uint256)) private balances;

    function mint721(address to, uint256 id) external {
        ownerOf[id] = to;
        emit Transfer(address(0), to, id);
    }

    function mint1155(address to, uint256 id, uint256 amount) external {
        balances[id][to] += amount;
        emit TransferSingle(msg.sender, address(0), to, id, amount);
    }

    function balanceOf(address holder, uint256 id) external view returns (uint256) {
        return balances[id][holder];
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0xd9b67a26;
    }
}
