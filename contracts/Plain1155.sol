// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC1155Supply} from "@openzeppelin/contracts/token/ERC1155/extensions/ERC1155Supply.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// ERC-1155 in which anyone may mint, burn and move anything, with its documents on the chain.
contract Plain1155 is ERC1155 {
    using Strings for uint256;

    string public name;
    string public symbol;

    constructor(string memory name_, string memory symbol_) ERC1155("") {
        name = name_;
        symbol = symbol_;
    }

    function mint(address to, uint256 id, uint256 amount) external {
        _update(address(0), to, one(id), one(amount));
    }

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _update(address(0), to, ids, amounts);
    }

    /// `count` ids from `first` on, `amount` of each, in one TransferBatch.
    function mintRange(address to, uint256 first, uint256 count, uint256 amount) external {
        uint256[] memory ids = new uint256[](count);
        uint256[] memory amounts = new uint256[](count);
        for (uint256 i = 0; i < count; i++) (ids[i], amounts[i]) = (first + i, amount);
        _update(address(0), to, ids, amounts);
    }

    function burn(address from, uint256 id, uint256 amount) external {
        _update(from, address(0), one(id), one(amount));
    }

    function burnBatch(address from, uint256[] calldata ids, uint256[] calldata amounts) external {
        _update(from, address(0), ids, amounts);
    }

    /// safeTransferFrom without approval; `from` may be `to` and `amount` zero.
    function move(address from, address to, uint256 id, uint256 amount) external {
        _update(from, to, one(id), one(amount));
    }

    function moveBatch(address from, address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _update(from, to, ids, amounts);
    }

    function uri(uint256 id) public pure override returns (string memory) {
        return
            string.concat(
                "data:application/json;base64,",
                Base64.encode(bytes(string.concat('{"name":"Item ', id.toString(), '","decimals":0}')))
            );
    }

    function one(uint256 value) private pure returns (uint256[] memory list) {
        list = new uint256[](1);
        list[0] = value;
    }
}

/// The same with ERC1155Supply, which counts each id; its URI can be changed, without an event too.
contract Supply1155 is ERC1155Supply {
    constructor() ERC1155("") {}

    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }

    function burn(address from, uint256 id, uint256 amount) external {
        _burn(from, id, amount);
    }

    function move(address from, address to, uint256 id, uint256 amount) external {
        _safeTransferFrom(from, to, id, amount, "");
    }

    function setUri(string calldata text) external {
        _setURI(text);
    }
}
