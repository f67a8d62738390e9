// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// A document of JSON as a data: URI.
function jsonUri(string memory document) pure returns (string memory) {
    return string.concat("data:application/json;base64,", Base64.encode(bytes(document)));
}

/// A square of one hue with a turned square in it, as a data: URI.
function image(uint256 hue, uint256 turn) pure returns (string memory) {
    return
        string.concat(
            "data:image/svg+xml;base64,",
            Base64.encode(
                bytes(
                    string.concat(
                        '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320"><rect width="320" height="320" fill="hsl(',
                        Strings.toString(hue),
                        ',60%,45%)"/><rect x="90" y="90" width="140" height="140" fill="#fff" transform="rotate(',
                        Strings.toString(turn),
                        ' 160 160)"/></svg>'
                    )
                )
            )
        );
}

/// The demo's ERC-721: everything about a token is on the chain.
contract Demo721 is ERC721("Sample Tiles", "TILE") {
    using Strings for uint256;

    address private immutable minter = msg.sender;

    error NotMinter();

    /// `count` tokens from `first` on, to the holders in turn.
    function mintBatch(address[] calldata holders, uint256 first, uint256 count) external {
        if (msg.sender != minter) revert NotMinter();
        for (uint256 id = first; id < first + count; id++) _mint(holders[id % holders.length], id);
    }

    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        uint256 seed = uint256(keccak256(abi.encode(id)));
        (uint256 hue, uint256 turn) = (seed % 360, (seed >> 128) % 90);
        return
            jsonUri(
                string.concat(
                    '{"name":"Tile #',
                    id.toString(),
                    '","description":"One of the tiles of the Mintmark demo.","image":"',
                    image(hue, turn),
                    '","attributes":[{"trait_type":"Hue","value":',
                    hue.toString(),
                    ',"max_value":359},{"trait_type":"Edge","value":"',
                    turn % 3 == 0 ? "sharp" : "soft",
                    '"}]}'
                )
            );
    }
}

/// The demo's ERC-1155.
contract Demo1155 is ERC1155("") {
    using Strings for uint256;

    string public constant name = "Sample Items";
    string public constant symbol = "ITEM";
    address private immutable minter = msg.sender;

    error NotMinter();

    /// `amount` of each of `count` ids from `first` on.
    function mintRange(address to, uint256 first, uint256 count, uint256 amount) external {
        if (msg.sender != minter) revert NotMinter();
        uint256[] memory ids = new uint256[](count);
        uint256[] memory amounts = new uint256[](count);
        for (uint256 i = 0; i < count; i++) (ids[i], amounts[i]) = (first + i, amount);
        _mintBatch(to, ids, amounts, "");
    }

    function uri(uint256 id) public pure override returns (string memory) {
        uint256 hue = (id * 47) % 360;
        return
            jsonUri(
                string.concat(
                    '{"name":"Item ',
                    id.toString(),
                    '","description":"One of the items of the Mintmark demo.","decimals":0,"image":"',
                    image(hue, 45),
                    '","properties":{"hue":',
                    hue.toString(),
                    "}}"
                )
            );
    }
}
