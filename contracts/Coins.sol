// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// A plain ERC-20.
contract Plain20 is ERC20("Plain coin", "PLN") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}

/// ERC-20 to stand behind a proxy; it keeps nothing but balances.
contract Initializable20 {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public name;
    string public symbol;
    mapping(address => uint256) public balanceOf;

    function initialize(string calldata name_, string calldata symbol_) external {
        (name, symbol) = (name_, symbol_);
    }

    function decimals() external pure returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// An ERC-20 whose Transfer indexes nothing: its logs look like those of CryptoKitties.
contract Unindexed20 {
    event Transfer(address from, address to, uint256 value);

    string public constant name = "Unindexed coin";
    string public constant symbol = "UNX";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}

/// ERC-1967 proxy of any of the contracts that are initialised by a call.
contract Proxy is ERC1967Proxy {
    constructor(address implementation, bytes memory data) ERC1967Proxy(implementation, data) {}
}
